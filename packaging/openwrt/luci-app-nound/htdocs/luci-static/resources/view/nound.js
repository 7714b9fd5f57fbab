
'require view';
'require form';
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
	[ [ 'input', 'led', 'adc', 'power-supply' ], 'device', _('Device'), { placeholder: 'green:status' } ],
	[ [ 'pwm', 'adc', 'hwmon' ], 'channel', _('Channel'), { placeholder: '0, voltage0 or temp1' } ],
	[ [ 'pwm' ], 'period', _('Period in ns'), { datatype: 'uinteger' } ],
	[ [ 'thermal' ], 'type', _('Zone'), { placeholder: 'cpu-thermal' } ],
	[ [ 'w1' ], 'id', _('Sensor'), { placeholder: '28-0316a2796ee1' } ],
	[ [ 'sysfs' ], 'path', _('Attribute'), { placeholder: '/sys/class/backlight/panel/brightness' } ],
	[ [ 'sysfs' ], 'writable', _('Writable'), { type: form.Flag } ],
	[ [ 'webhook' ], 'url', _('URL'), { placeholder: 'http://192.0.2.5:1880/door' } ],
	[ [ 'webhook' ], 'token', _('File with its token'), {} ],
	[ [ 'switch', ...gpio, 'input', 'adc', 'hwmon', 'thermal', 'w1', 'sysfs' ], 'key', _('Key of its state'), {} ],
	[ [ 'value', 'led', 'pwm' ], 'default', _('Default'), { type: form.DynamicList, placeholder: 'key=value' } ]
];

const kinds = [
	[ 'switch', _('Switch') ],
	[ 'value', _('Value') ],
	[ 'gpio-output', _('GPIO output') ],
	[ 'gpio-input', _('GPIO input') ],
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
	[ 'webhook', _('Webhook') ]
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

function renderStatus(service) {
	const running = Object.values(service.instances ?? {}).some((instance) => instance.running);
	const links = addressesOf(service).map((address) => `http://${address}/`)
		.map((href) => E('li', {}, E('a', { href, target: '_blank', rel: 'noreferrer' }, href)));
	return E('div', { class: 'cbi-section' }, [
		E('h3', {}, _('Status')),
		E('p', { id: 'nound-status' },
			running ? _('nound is running.') : _('nound is not running. The system log says why.')),
		links.length > 0 ? E('ul', {}, links) : ''
	]);
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
	load() {
		return L.resolveDefault(listServices('nound'), {});
	},

	render(service) {
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

		section = map.section(form.TypedSection, 'access', _('Access'),
			_('Without tokens, everyone who reaches nound can change every state.'));
		section.anonymous = true;
		section.addremove = true;
		option = section.option(form.Value, 'tokens', _('Token file'));
		option.placeholder = '/etc/nound/tokens';
		section.option(form.DynamicList, 'hosts', _('Names of this device'));
		section.option(form.DynamicList, 'origins', _('Origins of allowed web pages'));

		addNoun(map);
		return map.render().then((rendered) => E('div', {}, [ renderStatus(service), rendered ]));
	}
});
