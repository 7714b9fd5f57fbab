
'require view';
'require form';
'require fs';
'require poll';
'require rpc';
'require tools.widgets as widgets';
'require nound.keys as keys';

// The options have the names of the keys of nound's configuration. keys.js is made of its schema.

const listServices = rpc.declare({
	object: 'service',
	method: 'list',
	params: [ 'name' ],
	expect: { nound: {} }
});

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

// Adds an option as keys.js describes it.
function addOption(section, field) {
	const description = field.description && _(field.description);
	const option = section.option(form[field.widget], field.name, _(field.title), description);
	option.datatype = field.datatype;
	option.placeholder = field.placeholder;
	if (field.default !== undefined)
		option.default = field.default;
	if (field.widget === 'ListValue')
		option.optional = !field.required;
	for (const value of field.values ?? [])
		option.value(value);
	for (const kind of field.kinds ?? [])
		option.depends('kind', kind);
	// An option that is required only of some kinds is hidden for the others.
	option.rmempty = !field.required;
	return option;
}

function addSections(map) {
	for (const { type, title, description, options } of keys.sections) {
		const section = map.section(form.TypedSection, type, _(title), _(description));
		section.anonymous = true;
		section.addremove = true;
		for (const field of options)
			addOption(section, field);
	}
}

function addNouns(map) {
	const section = map.section(form.GridSection, 'noun', _('Nouns'),
		_('Each noun of this device has its own path.'));
	section.addremove = true;
	section.anonymous = false;
	section.nodescriptions = true;
	const option = section.option(form.ListValue, 'kind', _('Kind'));
	for (const [ kind, description ] of keys.kinds)
		option.value(kind, description ? `${kind}: ${_(description)}` : kind);
	option.rmempty = false;
	for (const field of keys.nouns)
		addOption(section, field).modalonly = true;
}

function addKeys(map) {
	const section = map.section(form.GridSection, 'key', _('Keys of nouns'),
		_('What a key of a state is: the shape of a value, the registers of a Modbus unit, titles and units.'));
	section.addremove = true;
	section.anonymous = true;
	section.nodescriptions = true;
	section.option(form.Value, 'noun', _('Noun')).rmempty = false;
	section.option(form.Value, 'name', _('Key')).rmempty = false;
	for (const field of keys.keys)
		addOption(section, field).modalonly = true;
}

return view.extend({
	load: loadStatus,

	render([ service, refused ]) {
		const map = new form.Map('nound', 'nound',
			_('A REST server for what this device has: relays, buttons, LEDs, sensors.'));

		const section = map.section(form.TypedSection, 'nound', _('Service'));
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
		for (const field of keys.main)
			addOption(section, field);

		addSections(map);
		addNouns(map);
		addKeys(map);

		const status = E('div', { class: 'cbi-section' }, renderStatus(service, refused));
		poll.add(() => loadStatus().then((loaded) => status.replaceChildren(...renderStatus(...loaded))));
		return map.render().then((rendered) => E('div', {}, [ status, rendered ]));
	}
});
