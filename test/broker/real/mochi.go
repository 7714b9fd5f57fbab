// A broker of mochi-mqtt: mochi PORT SIZE TOPIC: no packet above SIZE bytes, and nothing to TOPIC.
package main

import (
	"fmt"
	"os"
	"strconv"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/hooks/auth"
	"github.com/mochi-mqtt/server/v2/listeners"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	port, denied := os.Args[1], auth.RString(os.Args[3])
	size, err := strconv.ParseUint(os.Args[2], 10, 32)
	must(err)
	capabilities := mqtt.NewDefaultServerCapabilities()
	capabilities.MaximumPacketSize = uint32(size)
	server := mqtt.New(&mqtt.Options{Capabilities: capabilities})
	list := auth.Ledger{
		Auth: auth.AuthRules{{Allow: true}},
		ACL:  auth.ACLRules{{Filters: auth.Filters{denied: auth.ReadOnly}}, {Filters: auth.Filters{"#": auth.ReadWrite}}},
	}
	must(server.AddHook(new(auth.Hook), &auth.Options{Ledger: &list}))
	must(server.AddListener(listeners.NewTCP(listeners.Config{ID: "plain", Address: "127.0.0.1:" + port})))
	must(server.Serve())
	select {}
}
