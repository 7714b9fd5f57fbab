
'require view';
'require form';
'require fs';
'require poll';
'require rpc';
'require tools.widgets as widgets';

// The options have the names of the keys of nound's configuration, and its documentation describes them.

const listServices = rpc.declare({
	object: 'service',
	method: 'list',
	params: [ 'name' ],
	expect: { nound: {} }
});

const gpio = [ 'gpio-output', 'gpio-input' ];

// Those that clients can change.
const changed = [ 'switch', 'value', 'gpio-output', 'cover', 'led', 'pwm', 'sysfs', 'modbus', 'mirror', 'webhook' ];

// Each option of a noun: the kinds that have it, its name, its title, and what it takes. Without a type it is a text.
const nounOptions = [
	[ [ ...gpio, 'pwm', 'hwmon' ], 'chip', _('Chip'), { placeholder: 'gpiochip0' } ],
	[ gpio, 'offset', _('Line'), { datatype: 'uinteger' } ],
	[ gpio, 'activeLow', _('Active low'), { type: form.Flag } ],
	[ gpio, 'bias', _('Bias'), { values: [ 'as-is', 'disabled', 'pull-up', 'pull-down' ] } ],
	[ [ 'gpio-input' ], 'edges', _('Counted edges'), { values: [ 'none', 'rising', 'falling', 'both' ] } ],
	[ [ 'gpio-input' ], 'debounce', _('Debounce period in microseconds'), { datatype: 'uinteger' } ],
	[ [ 'input' ], 'from', _('Read by'), { values: [ 'evdev', 'hotplug' ] } ],
	[ [ 'input' ], 'code', _('Code or button'), { placeholder: 'KEY_POWER or wps' } ],
	[ [ 'gpio-input', 'input' ], 'presses', _('Counted presses'), { type: form.Flag } ],
	[ [ 'gpio-input', 'input' ], 'longPress', _('Long press in ms'), { datatype: 'uinteger' } ],
	[ [ 'gpio-input', 'input' ], 'doublePress', _('Double press within ms'), { datatype: 'uinteger' } ],
	[ [ 'gpio-output' ], 'lease', _('Lease in ms'), { datatype: 'uinteger' },
		_('The output returns to its default unless a client renews it in time.') ],
	[ [ 'gpio-output' ], 'pulse', _('Pulse in ms'), { datatype: 'uinteger' } ],
	[ [ 'cover' ], 'open', _('Line that opens'), { type: form.DynamicList, placeholder: 'line=GPIO17' } ],
	[ [ 'cover' ], 'close', _('Line that closes'), { type: form.DynamicList, placeholder: 'line=GPIO18' } ],
	[ [ 'cover' ], 'openTime', _('ms from closed to open'), { datatype: 'uinteger' } ],
	[ [ 'cover' ], 'closeTime', _('ms from open to closed'), { datatype: 'uinteger' } ],
	[ [ 'cover' ], 'stopAtOpen', _('End switch: open'), { type: form.DynamicList, placeholder: 'top pressed 1' } ],
	[ [ 'cover' ], 'stopAtClose', _('End switch: closed'), { type: form.DynamicList, placeholder: 'bottom pressed 1' } ],
	[ [ 'input', 'led', 'adc', 'power-supply', 'modbus' ], 'device', _('Device'), { placeholder: 'green:status' } ],
	[ [ 'pwm', 'adc', 'hwmon' ], 'channel', _('Channel'), { placeholder: '0, voltage0 or temp1' } ],
	[ [ 'pwm' ], 'period', _('Period in ns'), { datatype: 'uinteger' } ],
	[ [ 'thermal' ], 'type', _('Zone'), { placeholder: 'cpu-thermal' } ],
	[ [ 'w1' ], 'id', _('Sensor'), { placeholder: '28-0316a2796ee1' } ],
	[ [ 'modbus' ], 'server', _('Server'), { placeholder: '192.0.2.9:502' } ],
	[ [ 'modbus' ], 'unit', _('Unit'), { datatype: 'range(0, 255)' } ],
	[ [ 'modbus' ], 'baud', _('Bits per second'), { datatype: 'uinteger' } ],
	[ [ 'modbus' ], 'parity', _('Parity'), { values: [ 'none', 'even', 'odd' ] } ],
	[ [ 'sysfs' ], 'path', _('Attribute'), { placeholder: '/sys/class/backlight/panel/brightness' } ],
	[ [ 'sysfs' ], 'writable', _('Writable'), { type: form.Flag } ],
	[ [ 'mirror' ], 'of', _('URL of the other noun'), { placeholder: 'https://porch.local:8443/bell' } ],
	[ [ 'mirror' ], 'keepAlive', _('Silence in ms'), { datatype: 'uinteger', placeholder: '30000' } ],
	[ [ 'webhook' ], 'url', _('URL'), { placeholder: 'http://192.0.2.5:1880/door' } ],
	[ [ 'mirror', 'webhook' ], 'token', _('File with its token'), {} ],
	[ [ 'mirror', 'webhook' ], 'tls', _('TLS'), { type: form.DynamicList, placeholder: 'authorities=/etc/nound/ca.pem' } ],
	[ [ 'rule' ], 'when', _('Conditions'), { type: form.DynamicList, placeholder: 'room temperature below 4 until 6' },
		_('A noun, a key, and a value, "changes", "above" or "below". All must hold.') ],
	[ [ 'rule' ], 'for', _('Conditions hold for ms'), { datatype: 'uinteger' } ],
	[ [ 'rule' ], 'at', _('Times'), { type: form.DynamicList, placeholder: '22:30 or sunset+00:30' } ],
	[ [ 'rule' ], 'days', _('Days'), { placeholder: 'mon-fri' } ],
	[ [ 'rule' ], 'every', _('Repeated after ms'), { datatype: 'uinteger' } ],
	[ [ 'rule' ], 'then', _('Actions'), { type: form.DynamicList, placeholder: 'PUT lamp on=1' },
		_('A verb, a noun, and the keys of its state.') ],
	[ [ 'rule' ], 'else', _('Actions once the conditions end'), { type: form.DynamicList, placeholder: 'DELETE lamp' } ],
	[ changed, 'guard', _('Guard'), { type: form.DynamicList, placeholder: 'pump on 1' },
		_('Conditions on other nouns. While one does not hold, the noun stays at its default.') ],
	[ [ 'switch', ...gpio, 'input', 'adc', 'hwmon', 'thermal', 'w1', 'sysfs' ], 'key', _('Key of its state'), {} ],
	[ [ 'value', 'led', 'pwm' ], 'default', _('Default'), { type: form.DynamicList, placeholder: 'key=value' } ]
];

const kinds = [
	[ 'switch', _('Switch') ],
	[ 'value', _('Value') ],
	[ 'gpio-output', _('GPIO output') ],
	[ 'gpio-input', _('GPIO input') ],
	[ 'cover', _('Cover: shutter, awning or gate') ],
	[ 'input', _('Key, switch or axis') ],
	[ 'led', _('LED') ],
	[ 'pwm', _('PWM channel') ],
	[ 'adc', _('Converter') ],
	[ 'hwmon', _('Monitoring chip') ],
	[ 'thermal', _('Thermal zone') ],
	[ 'w1', _('One-wire thermometer') ],
	[ 'power-supply', _('Battery') ],
	[ 'sysfs', _('Attribute of /sys') ],
	[ 'system', _('This device') ],
	[ 'modbus', _('Modbus unit') ],
	[ 'mirror', _('Noun of another device') ],
	[ 'webhook', _('Webhook') ],
	[ 'rule', _('Rule') ]
];

// Each limit: its name, its title, and its unit or what it counts.
const limitOptions = [
	[ 'maxConnections', _('Connections') ],
	[ 'tlsConnections', _('Encrypted connections') ],
	[ 'maxStreams', _('Streams') ],
	[ 'maxQueued', _('Operations that wait for a noun') ],
	[ 'maxEventsPerSecond', _('Events of a noun in a second') ],
	[ 'streamInterval', _('Time between events of a stream in ms') ],
	[ 'headersTimeout', _('Time for the head of a request in ms') ],
	[ 'bodyTimeout', _('Time for the body of a request in ms') ],
	[ 'keepAliveTimeout', _('Time between two requests in ms') ],
	[ 'sendTimeout', _('Time to take an answer in ms') ],
	[ 'nounTimeout', _('Time for an operation of a noun in ms') ],
	[ 'shutdownTimeout', _('Time for the end in ms') ],
	[ 'bodyBytes', _('Bytes of a body') ],
	[ 'stateBytes', _('Bytes of a state') ],
	[ 'memoryBytes', _('Bytes of memory') ]
];

const documentOptions = [
	[ 'page', _('Page for browsers') ],
	[ 'description', _('Thing Description') ],
	[ 'openapi', _('OpenAPI') ],
	[ 'metrics', _('Metrics') ],
	[ 'log', _('Last failures') ]
];

// The addresses that the running daemon was told to listen on. 0.0.0.0 and :: are every address of this device.
function addressesOf(service) {
	const found = [];
	for (const instance of Object.values(service.instances ?? {}))
		for (const [ place, word ] of (instance.running ? instance.command : []).entries())
			if (word === '--listen')
				found.push(instance.command[place + 1].replace(/^(0\.0\.0\.0|\[::\]):/, `${location.hostname}:`));
	return found;
}

// What runs, and what the last change of the configuration was refused for.
function renderStatus(service, refused) {
	const running = Object.values(service.instances ?? {}).some((instance) => instance.running);
	const sentences = refused.split('\n').filter((line) => line !== '');
	const links = addressesOf(service).map((address) => `http://${address}/`)
		.map((href) => E('li', {}, E('a', { href, target: '_blank', rel: 'noreferrer' }, href)));
	const state = running ? _('nound is running.') : _('nound is not running. The system log says why.');
	const refusal = running
		? _('The last change was refused. nound goes on with the configuration before it:')
		: _('The configuration was refused:');
	return [
		E('h3', {}, _('Status')),
		E('p', { id: 'nound-status' }, state),
		links.length > 0 ? E('ul', {}, links) : '',
		sentences.length > 0 ? E('div', { id: 'nound-refusal', class: 'alert-message warning' }, [
			E('p', {}, refusal),
			E('ul', {}, sentences.map((sentence) => E('li', {}, sentence)))
		]) : ''
	];
}

// The file is there only after a refusal.
function loadStatus() {
	return Promise.all([
		L.resolveDefault(listServices('nound'), {}),
		L.resolveDefault(fs.read('/var/run/nound/refused'), '')
	]);
}

function addLimits(map) {
	const section = map.section(form.TypedSection, 'limits', _('Limits'));
	section.anonymous = true;
	section.addremove = true;
	for (const [ name, title ] of limitOptions)
		section.option(form.Value, name, title).datatype = 'uinteger';
}

function addDocuments(map) {
	const section = map.section(form.TypedSection, 'documents', _('Documents'),
		_('What nound serves besides the states of its nouns.'));
	section.anonymous = true;
	section.addremove = true;
	for (const [ name, title ] of documentOptions)
		section.option(form.Flag, name, title).default = '1';
}

function addLocation(map) {
	const section = map.section(form.TypedSection, 'location', _('Location'),
		_('For rules at sunrise, sunset, dawn and dusk.'));
	section.anonymous = true;
	section.addremove = true;
	const coordinates = [ [ 'latitude', _('Latitude'), '52.5' ], [ 'longitude', _('Longitude'), '13.4' ] ];
	for (const [ name, title, placeholder ] of coordinates) {
		const option = section.option(form.Value, name, title);
		option.datatype = 'float';
		option.placeholder = placeholder;
		option.rmempty = false;
	}
}

function addCertificate(map) {
	const section = map.section(form.TypedSection, 'https', _('Certificate'),
		_('For addresses that begin with https://. Without one, nound makes it in its state directory.'));
	section.anonymous = true;
	section.addremove = true;
	section.option(form.Value, 'certificate', _('File with the certificate')).placeholder = '/etc/nound/chain.pem';
	section.option(form.Value, 'key', _('File with its key')).placeholder = '/etc/nound/key.pem';
}

function addTls(map) {
	const section = map.section(form.TypedSection, 'tls', _('Encrypted connections to other servers'),
		_('For a broker or a webhook without settings of its own. Without a file, the certificates of the system are used.'));
	section.anonymous = true;
	section.addremove = true;
	section.option(form.Value, 'authorities', _('File with authorities')).placeholder = '/etc/nound/ca.pem';
	section.option(form.Value, 'certificate', _('File with the certificate')).placeholder = '/etc/nound/client.pem';
	section.option(form.Value, 'key', _('File with its key')).placeholder = '/etc/nound/client-key.pem';
	section.option(form.DynamicList, 'keys', _('Hashes of the server\'s keys'));
}

function addBroker(map) {
	const section = map.section(form.TypedSection, 'mqtt', _('Broker'),
		_('An MQTT 5.0 broker, which gets states and sends commands.'));
	section.anonymous = true;
	section.addremove = true;
	let option = section.option(form.DynamicList, 'broker', _('Addresses'),
		_('The first that can be reached is used.'));
	option.placeholder = '192.0.2.10:1883';
	option.rmempty = false;
	option = section.option(form.Value, 'id', _('Id of the device'));
	option.placeholder = 'hall';
	section.option(form.Value, 'user', _('User'));
	option = section.option(form.Value, 'password', _('File with the password'));
	option.placeholder = '/etc/nound/mqtt-password';
	section.option(form.DynamicList, 'tls', _('TLS')).placeholder = 'authorities=/etc/nound/ca.pem';
	section.option(form.Value, 'prefix', _('First levels of its topics')).placeholder = 'nound';
	section.option(form.DynamicList, 'groups', _('Groups'));
	section.option(form.Value, 'may', _('What commands may do')).placeholder = 'PUT,POST lamp,fan';
	section.option(form.Value, 'keepAlive', _('Keep alive in s')).datatype = 'uinteger';
	section.option(form.Value, 'interval', _('Time between states of a noun in ms')).datatype = 'uinteger';
	section.option(form.Flag, 'homeAssistant', _('Home Assistant finds its nouns'));
}

function addNoun(map) {
	const section = map.section(form.GridSection, 'noun', _('Nouns'),
		_('Each noun of this device has its own path.'));
	section.addremove = true;
	section.anonymous = false;
	section.nodescriptions = true;

	let option = section.option(form.ListValue, 'kind', _('Kind'));
	for (const [ kind, title ] of kinds)
		option.value(kind, title);
	option.rmempty = false;

	option = section.option(form.Value, 'title', _('Title'));
	option.modalonly = true;

	for (const [ kindsOfOption, name, title, takes, description ] of nounOptions) {
		const type = takes.type ?? (takes.values ? form.ListValue : form.Value);
		option = section.option(type, name, title, description);
		option.modalonly = true;
		option.datatype = takes.datatype;
		option.placeholder = takes.placeholder;
		for (const value of takes.values ?? [])
			option.value(value);
		for (const kind of kindsOfOption)
			option.depends('kind', kind);
	}
}

return view.extend({
	load: loadStatus,

	render([ service, refused ]) {
		const map = new form.Map('nound', 'nound',
			_('A REST server for what this device has: relays, buttons, LEDs, sensors.'));

		let section = map.section(form.TypedSection, 'nound', _('Service'));
		section.anonymous = true;
		let option = section.option(form.Flag, 'enabled', _('Enabled'));
		option.default = '1';
		option = section.option(widgets.NetworkSelect, 'interface', _('Networks'),
			_('Clients in these networks can reach nound; without a network, only programs on this device.'));
		option.multiple = true;
		option = section.option(form.ListValue, 'family', _('Addresses'));
		option.value('ipv4', 'IPv4');
		option.value('ipv6', 'IPv6');
		option.value('any', _('IPv4 and IPv6'));
		option = section.option(form.Value, 'port', _('Port'));
		option.datatype = 'port';
		option.placeholder = '8080';
		section.option(form.Flag, 'mdns', _('Announce by multicast DNS'));
		option = section.option(form.ListValue, 'log', _('System log'));
		option.value('none', _('nothing'));
		option.value('errors', _('errors'));
		option.value('requests', _('every request'));
		section.option(form.Value, 'title', _('Name of the device'));
		option = section.option(form.Value, 'stateDirectory', _('State folder'),
			_('Nouns store here what survives a restart.'));
		option.datatype = 'directory';
		option = section.option(form.Value, 'changes', _('Changes to remember'),
			_('How many of the last changes /changes lists, with who has made them; 0 for none.'));
		option.datatype = 'range(0, 64)';
		option = section.option(form.Value, 'history', _('Memory for the history'),
			_('Bytes for the last 24 hours of all nouns; 0 for none.'));
		option.datatype = 'range(0, 1048576)';

		section = map.section(form.TypedSection, 'access', _('Access'),
			_('Without tokens, everyone who reaches nound can change every state.'));
		section.anonymous = true;
		section.addremove = true;
		option = section.option(form.Value, 'tokens', _('Token file'));
		option.placeholder = '/etc/nound/tokens';
		section.option(form.DynamicList, 'hosts', _('Names of this device'));
		section.option(form.DynamicList, 'origins', _('Origins of allowed web pages'));

		addCertificate(map);
		addBroker(map);
		addTls(map);
		addDocuments(map);
		addLocation(map);
		addLimits(map);
		addNoun(map);

		const status = E('div', { class: 'cbi-section' }, renderStatus(service, refused));
		poll.add(() => loadStatus().then((loaded) => status.replaceChildren(...renderStatus(...loaded))));
		return map.render().then((rendered) => E('div', {}, [ status, rendered ]));
	}
});
