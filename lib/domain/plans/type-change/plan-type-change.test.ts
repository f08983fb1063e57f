import { expect, it } from 'vitest'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import {
  a40Cloud,
  editGpuProviders,
  editHosts,
  editList,
  editNovaConf,
  t4Cloud,
  withFacts,
} from '@/lib/domain/testing/break-cloud'
import { buildHealthyCloud } from '@/lib/domain/testing/healthy-cloud'
import { providerConfigContent } from '@/lib/schemas/agent/provider-config'
import type { TypeChangeInput } from './draft-hosts'
import { planTypeChange } from './plan-type-change'

const everyGpu = (input: FleetFacts) =>
  joinFleet(input).hosts.flatMap(({ host, pgpus }) =>
    pgpus.map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
  )

const plan = (input: FleetFacts, changes: Partial<TypeChangeInput> = {}) =>
  planTypeChange(joinFleet(input), {
    gpus: everyGpu(input).slice(0, 1),
    typeId: 'nvidia-320',
    resourceClass: null,
    rule: DEFAULT_TRAIT_RULE,
    isFlavorLossAccepted: true,
    held: [],
    ...changes,
  })

/** Two T4 hosts: the first busy, the second with room. */
const twoHosts = (): FleetFacts =>
  buildHealthyCloud([
    { cards: [{ kind: 'T4', used: 2, spare: 1 }], hasDomain: false },
    { cards: [{ kind: 'T4', used: 0, spare: 0 }], hasDomain: false },
  ])

const kinds = (steps: readonly { id: string }[]) => steps.map(({ id }) => id.split('/')[0])

it('goes in the safe order: close, drain, look, write, restart, verify, tag, open', () => {
  const { steps, title, targets } = plan(twoHosts())
  expect(title).toBe('T4-4C to T4-8C on 1 pGPU of cmp-1')
  expect(targets).toEqual([{ host: 'cmp-1', address: '0000:20:00.0' }])
  expect(kinds(steps)).toEqual([
    'create-trait',
    'close-service',
    'drain-server',
    'drain-server',
    'await-empty',
    'remove-mdev',
    'remove-mdev',
    'remove-mdev',
    'await-offer',
    'move-traits',
    'restart-nova',
    'write-config',
    'restart-nova',
    'verify-pgpu',
    'move-traits',
    'open-service',
  ])
})

it('moves servers live where that is possible, and reports where to', () => {
  const { typeChange } = plan(twoHosts())
  expect(typeChange?.servers).toMatchObject([
    { way: 'live', to: ['cmp-2'], because: null, projectName: 'research' },
    { way: 'live', to: ['cmp-2'] },
  ])
})

it('cold-migrates a server that is shut off', () => {
  const input = editList(twoHosts(), 'servers', (server) => ({ ...server, status: 'SHUTOFF' }))
  expect(plan(input).typeChange?.servers.map(({ way, because }) => [way, because])).toEqual([
    ['cold', 'it is shut off'],
    ['cold', 'it is shut off'],
  ])
})

it('waits for the owner where no other host has capacity', () => {
  const { typeChange, steps } = plan(t4Cloud())
  expect(typeChange?.servers.map(({ way }) => way)).toEqual(['owner', 'owner'])
  expect(steps.filter(({ id }) => id.startsWith('drain-server')).map(({ title }) => title)[0]).toMatch(
    /^Wait for server-\w+ of research$/,
  )
})

it('names the trait of the new type as that of the old one was named', () => {
  const { typeChange, steps } = plan(twoHosts())
  expect(typeChange?.hosts[0]?.traits).toEqual([
    { name: 'cmp-1_pci_0000_20_00_0', off: ['CUSTOM_T4_4C'], on: ['CUSTOM_T4_8C'], foreign: [] },
  ])
  expect(steps[0]?.title).toBe('Create the trait CUSTOM_T4_8C')
})

it('keeps traits of others over the re-creation of a provider, and tags nothing that was not tagged', () => {
  const input = editGpuProviders(twoHosts(), (provider) => ({ ...provider, traits: ['CUSTOM_RACK_7'] }))
  const steps = plan(input).steps.filter(({ task }) => task.kind === 'move-traits')
  expect(steps.map(({ task }) => task)).toMatchObject([
    { direction: 'off', traits: [], foreign: ['CUSTOM_RACK_7'] },
    { direction: 'on', traits: [], foreign: ['CUSTOM_RACK_7'] },
  ])
})

it('keeps the type of the other pGPUs of a host, and states that they are disabled too', () => {
  const input = buildHealthyCloud([
    {
      cards: [
        { kind: 'T4', used: 0, spare: 0 },
        { kind: 'T4', used: 1, spare: 0 },
      ],
      hasDomain: false,
    },
  ])
  const { typeChange, steps } = plan(input)
  expect(typeChange?.hosts[0]).toMatchObject({
    closedToo: ['0000:21:00.0'],
    configAfter:
      '[devices]\nenabled_mdev_types = nvidia-319, nvidia-320\n\n[mdev_nvidia-319]\ndevice_addresses = 0000:21:00.0\n\n[mdev_nvidia-320]\ndevice_addresses = 0000:20:00.0',
  })
  expect(kinds(steps)).not.toContain('drain-server')
})

it('keeps one type without addresses where the whole host has it', () => {
  const input = editNovaConf(twoHosts(), '[devices]\nenabled_mdev_types = nvidia-319')
  expect(plan(input).typeChange?.hosts[0]?.configAfter).toBe('[devices]\nenabled_mdev_types = nvidia-320')
})

it('lists as many VFs as vGPUs fit, bounds them by a total for the host, and removes the providers left over', () => {
  const { typeChange, steps } = plan(a40Cloud(), { typeId: 'nvidia-562' })
  const after = typeChange?.hosts[0]?.configAfter ?? ''
  const max = typeChange?.hosts[0]?.pgpus[0]?.capacityAfter ?? 0
  expect(max).toBeGreaterThan(0)
  expect(after).toContain(`max_instances = ${max}`)
  expect(/device_addresses = (.*)/.exec(after)?.[1]?.split(',')).toHaveLength(max)
  expect(kinds(steps).filter((kind) => kind === 'remove-stale-provider')).toHaveLength(12 - max)
})

it('sums capacity by type, before and after', () => {
  expect(plan(twoHosts()).typeChange?.capacities).toEqual([
    { typeId: 'nvidia-319', typeName: 'T4-4C', before: 8, after: 4 },
    { typeId: 'nvidia-320', typeName: 'T4-8C', before: 0, after: 2 },
  ])
})

it('refuses when a flavor would lose its last host, until that is confirmed', () => {
  const refused = plan(t4Cloud(), { isFlavorLossAccepted: false })
  expect(refused.steps).toEqual([])
  expect(refused.refusals[0]?.reason).toBe(
    'vgpu-T4 could no longer be scheduled on any host: change fewer pGPUs, or confirm the loss',
  )
  expect(refused.typeChange?.flavors).toMatchObject([{ name: 'vgpu-T4', before: 1, after: 0 }])
  expect(plan(t4Cloud()).steps.length).toBeGreaterThan(0)
})

it('closes every host before the first one is drained', () => {
  const input = twoHosts()
  const { steps } = plan(input, { gpus: everyGpu(input) })
  const order = kinds(steps)
  expect(order.lastIndexOf('close-service')).toBeLessThan(order.indexOf('drain-server'))
})

it('leaves a host disabled that another user had disabled', () => {
  const input = editList(twoHosts(), 'services', (service) => ({
    ...service,
    status: 'disabled' as const,
    disabledReason: 'broken fan',
  }))
  const order = kinds(plan(input).steps)
  expect(order).not.toContain('close-service')
  expect(order).not.toContain('open-service')
})

it('has nothing to do for a pGPU that is on the type', () => {
  const { steps, unchanged } = plan(twoHosts(), { typeId: 'nvidia-319' })
  expect([steps, unchanged.length]).toEqual([[], 1])
})

const REFUSED: [string, () => FleetFacts, Partial<TypeChangeInput>, RegExp][] = [
  [
    'a type that the driver does not offer',
    t4Cloud,
    { typeId: 'nvidia-999' },
    /does not offer nvidia-999: it has T4-/,
  ],
  [
    'a silent host',
    () => editHosts(t4Cloud(), (inventory) => inventory, { isSilent: true }),
    {},
    /has been silent since .* Start the agent/,
  ],
  [
    'guests that could not be read',
    () => editHosts(t4Cloud(), (inventory) => ({ ...inventory, guests: null })),
    {},
    /guests or mdevs could not be read/,
  ],
  [
    'a nova.conf that could not be read',
    () => editHosts(t4Cloud(), (inventory) => ({ ...inventory, novaConfig: null })),
    {},
    /nova.conf could not be read completely/,
  ],
  [
    'a nova.conf that nova-compute would not start with',
    () =>
      editNovaConf(
        t4Cloud(),
        '[devices]\nenabled_mdev_types = nvidia-319\n[mdev_nvidia-319]\ndevice_addresses = 41:00.0',
      ),
    {},
    /would not start again: device_addresses of nvidia-319 holds 41:00.0/,
  ],
  [
    'a nova-compute that is down',
    () => editList(t4Cloud(), 'services', (service) => ({ ...service, state: 'down' as const })),
    {},
    /nova-compute of cmp-1 is down/,
  ],
  [
    'a guest that Nova does not know',
    () => editList(t4Cloud(), 'servers', () => null),
    {},
    /is not a server of Nova/,
  ],
  [
    'an allocation without a server',
    () =>
      editList(
        editHosts(t4Cloud(), (inventory) => ({ ...inventory, guests: [] })),
        'servers',
        () => null,
      ),
    {},
    /neither a server nor a migration/,
  ],
  [
    'a pGPU whose host another change holds',
    t4Cloud,
    { held: [{ host: 'cmp-1', address: '0000:99:00.0', changeId: 7, by: 'user:ben@Default' }] },
    /held by change 7 of ben@Default/,
  ],
  [
    'a host without an agent',
    t4Cloud,
    { gpus: [{ host: 'nowhere', address: '0000:01:00.0' }] },
    /no agent reports such a host/,
  ],
]

it.each(REFUSED)('refuses %s, and touches nothing', (_, input, changes, reason) => {
  const { steps, refusals } = plan(input(), changes)
  expect(steps).toEqual([])
  expect(refusals[0]?.reason).toMatch(reason)
})

it('refuses to change the class of a type that is allocated on the same host', () => {
  const input = buildHealthyCloud([
    {
      cards: [
        { kind: 'T4', used: 0, spare: 0 },
        { kind: 'T4', used: 1, spare: 0 },
      ],
      hasDomain: false,
    },
  ])
  const [first] = everyGpu(input)
  const half = editNovaConf(
    input,
    '[devices]\nenabled_mdev_types = nvidia-320,nvidia-319\n[mdev_nvidia-320]\ndevice_addresses = 0000:20:00.0\n[mdev_nvidia-319]\ndevice_addresses = 0000:21:00.0',
  )
  const refused = plan(half, {
    gpus: first === undefined ? [] : [first],
    typeId: 'nvidia-319',
    resourceClass: 'CUSTOM_X',
  })
  expect(refused.refusals[0]?.reason).toContain('if a class changes while it is allocated')
})

it('lets the agent write nova.conf only where that takes effect, else states the reason before any step', () => {
  const withDropIn = (position: number) =>
    editHosts(twoHosts(), (inventory) => ({
      ...inventory,
      host: { ...inventory.host, allowedCommands: ['write-nova-config'] },
      novaConfig:
        inventory.novaConfig === null
          ? null
          : {
              ...inventory.novaConfig,
              dropIn: { path: '/etc/nova/nova.conf.d/99-sliceboard-mdev.conf', place: position },
            },
    }))
  const planned = (position: number) => {
    const { steps, typeChange } = plan(withDropIn(position))
    return {
      step: steps.find(({ task }) => task.kind === 'write-config'),
      note: typeChange?.hosts[0]?.configNote,
    }
  }
  const counts = planned(1)
  expect(counts.step?.doer).toBe('agent')
  expect(counts.note).toBeNull()
  const lost = planned(0)
  expect(lost.step?.doer).toBe('operator')
  expect(lost.step?.sees).toContain('would have no effect. Add the new options to')
  expect(lost.note).toMatch(/^nova-compute reads \/etc\/nova\/nova\.conf after /)
})

it('refuses a pGPU whose old trait provider config would restore', () => {
  const input = twoHosts()
  const provider = joinFleet(input).hosts[0]?.pgpus[0]?.providers[0]?.provider.name ?? ''
  const managed = (trait: string) =>
    editHosts(input, (inventory) => ({
      ...inventory,
      novaConfig:
        inventory.novaConfig === null
          ? null
          : {
              ...inventory.novaConfig,
              providerConfig: {
                folder: '/etc/nova/provider_config',
                files: [
                  {
                    name: 'sliceboard-traits.yaml',
                    text: providerConfigContent([{ provider, traits: [trait] }]),
                  },
                ],
              },
            },
    }))
  expect(plan(managed('CUSTOM_NVIDIA_T4_4C')).refusals[0]?.reason).toMatch(
    /puts? CUSTOM_NVIDIA_T4_4C on .* again at every period. First remove it from provider config/,
  )
  expect(plan(managed('CUSTOM_RACK_7')).refusals).toEqual([])
})

it.each([
  ['33.0.2', 'The restart takes up to four minutes: it waits 160 s for its tasks before it ends'],
  ['32.0.0', null],
  [null, 'From Nova 33 (2026.1) on, it waits 160 s for its tasks before it ends'],
])('gives the time that nova-compute %s may take to restart', (version, words) => {
  const novaCompute = { startedAt: '2026-11-20T08:00:00Z', version }
  const hosts = editHosts(twoHosts(), (inventory) => ({
    ...inventory,
    host: { ...inventory.host, novaCompute },
  }))
  const input = withFacts(hosts, { versions: { nova: null, placement: '1.39', keystone: '3.14' } })
  const { sees } = plan(input).steps.find(({ id }) => id === 'restart-nova/on/cmp-1') ?? {}
  if (words === null) expect(sees).not.toContain('160')
  else expect(sees).toContain(words)
})
