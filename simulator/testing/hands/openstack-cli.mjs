/**
 * What the runbooks call of python-openstackclient and osc-placement, for tests: the same words on the command line, the same
 * requests, the same columns. OS_TOKEN, NOVA_URL and PLACEMENT_URL say where.
 */
const { OS_TOKEN, NOVA_URL, PLACEMENT_URL } = process.env

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const call = async (url, { method = 'GET', body } = {}) => {
  const answer = await fetch(url, {
    method,
    headers: {
      'x-auth-token': OS_TOKEN ?? '',
      'content-type': 'application/json',
      'openstack-api-version': url.startsWith(PLACEMENT_URL ?? '') ? 'placement 1.33' : 'compute 2.90',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) fail(`${method} ${url}: ${answer.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

const placement = (path, options) => call(`${PLACEMENT_URL}${path}`, options)
const nova = (path, options) => call(`${NOVA_URL}${path}`, options)
const put = (body) => ({ method: 'PUT', body })
const act = (uuid, body) => nova(`/servers/${uuid}/action`, { method: 'POST', body })

/** `--wait`: until the server does nothing any more. */
const settled = async (uuid) => {
  for (;;) {
    const { server } = await nova(`/servers/${uuid}`)
    if (server['OS-EXT-STS:task_state'] === null && server.status !== 'MIGRATING') return server
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const setService = async ({ flags, words: [host] }) => {
  const { services } = await nova(`/os-services?host=${host}&binary=nova-compute`)
  const status = flags.has('--enable') ? 'enabled' : 'disabled'
  const reason = flags.get('--disable-reason')
  await nova(
    `/os-services/${services[0].id}`,
    put({ status, ...(reason === undefined ? {} : { disabled_reason: reason }) }),
  )
}

const listServices = async ({ flags }) => {
  const { services } = await nova(`/os-services?host=${flags.get('--host')}&binary=nova-compute`)
  return services.map(({ status, disabled_reason: reason }) => `${status} ${reason ?? 'None'}`)
}

const setTraits = async ({ words: [uuid], traits }) => {
  const { resource_provider_generation } = await placement(`/resource_providers/${uuid}/traits`)
  await placement(`/resource_providers/${uuid}/traits`, put({ resource_provider_generation, traits }))
  return traits
}

const COMMANDS = {
  'trait create': ({ words: [name] }) => placement(`/traits/${name}`, { method: 'PUT' }),
  'trait delete': ({ words: [name] }) => placement(`/traits/${name}`, { method: 'DELETE' }),
  'compute service list': listServices,
  'compute service set': setService,
  'flavor set': ({ flags, words: [id] }) => {
    const [key, ...value] = flags.get('--property').split('=')
    return nova(`/flavors/${id}/os-extra_specs`, {
      method: 'POST',
      body: { extra_specs: { [key]: value.join('=') } },
    })
  },
  'flavor unset': ({ flags, words: [id] }) =>
    nova(`/flavors/${id}/os-extra_specs/${flags.get('--property')}`, { method: 'DELETE' }),
  'server list': async ({ flags }) => {
    const [host, status] = [flags.get('--host'), flags.get('--status')]
    const query = new URLSearchParams({ all_tenants: '1', ...(host && { host }), ...(status && { status }) })
    const { servers } = await nova(`/servers?${query}`)
    return servers.map(({ id }) => id)
  },
  'server migrate': async ({ flags, words: [uuid] }) => {
    const isLive = flags.has('--live-migration')
    await act(
      uuid,
      isLive ? { 'os-migrateLive': { host: null, block_migration: 'auto' } } : { migrate: null },
    )
    await settled(uuid)
  },
  'server migration confirm': async ({ words: [uuid] }) => {
    await act(uuid, { confirmResize: null })
    await settled(uuid)
  },
  'resource provider list': async ({ flags }) => {
    const { resource_providers } = await placement(`/resource_providers?name=${flags.get('--name')}`)
    return resource_providers.map(({ uuid }) => uuid)
  },
  'resource provider show': async ({ words: [uuid] }) => [
    (await placement(`/resource_providers/${uuid}`)).name,
  ],
  'resource provider delete': ({ words: [uuid] }) =>
    placement(`/resource_providers/${uuid}`, { method: 'DELETE' }),
  'resource provider usage show': async ({ words: [uuid] }) =>
    Object.values((await placement(`/resource_providers/${uuid}/usages`)).usages),
  'resource provider inventory list': async ({ words: [uuid] }) => {
    const { inventories } = await placement(`/resource_providers/${uuid}/inventories`)
    return Object.entries(inventories).map(([name, { total }]) => `${name} ${total}`)
  },
  'resource provider trait list': async ({ words: [uuid] }) =>
    (await placement(`/resource_providers/${uuid}/traits`)).traits,
  'resource provider trait set': setTraits,
}

const TAKES_VALUE = [
  '--name',
  '--host',
  '--status',
  '--service',
  '--disable-reason',
  '--trait',
  '--property',
  '-f',
  '-c',
]

const words = process.argv.slice(2)
const argv = words[0] === '--os-compute-api-version' ? words.slice(2) : words
const name = Object.keys(COMMANDS)
  .toSorted((a, b) => b.length - a.length)
  .find((key) => `${argv.join(' ')} `.startsWith(`${key} `))
if (name === undefined) fail(`openstack: no such command here: ${argv.join(' ')}`)

const input = { flags: new Map(), words: [], traits: [] }
const rest = argv.slice(name.split(' ').length)
while (rest.length > 0) {
  const word = rest.shift()
  if (word === '--') input.words.push(...rest.splice(0))
  else if (!word.startsWith('-')) input.words.push(word)
  else {
    const [, option, joined] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [null, word, null]
    const value = joined ?? (TAKES_VALUE.includes(option) ? rest.shift() : true)
    if (option === '--trait') input.traits.push(value)
    else input.flags.set(option, value)
  }
}
const lines = await COMMANDS[name](input)
if (Array.isArray(lines)) process.stdout.write(lines.map((line) => `${line}\n`).join(''))
