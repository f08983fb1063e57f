import { expect, it } from 'vitest'
import { parse } from 'yaml'
import type { FleetFacts, ManagedTrait } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { rememberTraits } from '@/lib/domain/cloud/remember-traits'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import { a40Cloud, editGpuProviders, editHosts, editList, t4Cloud } from '@/lib/domain/testing/break-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'
import { providerConfigContent } from '@/lib/schemas/agent/provider-config'
import type { ProviderConfigChoice } from './plan-provider-config'
import { planTraits, traitsInSteps } from './plan-traits'

const plan = (
  input: FleetFacts,
  {
    rule = DEFAULT_TRAIT_RULE,
    isManaged = false,
    providerConfig = 'leave',
  }: { rule?: string | null; isManaged?: boolean; providerConfig?: ProviderConfigChoice } = {},
) => {
  const fleet = joinFleet(input)
  const gpus = fleet.hosts.flatMap(({ host, pgpus }) =>
    pgpus.map(({ pgpu }) => ({ host: host.name, address: pgpu.address })),
  )
  return planTraits(fleet, { gpus, rule, isManaged, providerConfig })
}

const HOST = t4Cloud().hosts[0]?.name ?? ''
const ADDRESS = '0000:20:00.0'

const withTraits = (input: FleetFacts, traits: string[]) =>
  editGpuProviders(input, (provider) => ({ ...provider, traits }))

it('creates and adds the trait, removes that of another type and keeps foreign ones', () => {
  const { steps, targets, title } = plan(withTraits(t4Cloud(), ['CUSTOM_GRID_T4_16C', 'CUSTOM_RACK_7']))
  expect(title).toBe('CUSTOM_NVIDIA_T4_4C on 1 pGPU')
  expect(targets).toHaveLength(1)
  expect(steps.map(({ id }) => id.split('/')[0])).toEqual(['create-trait', 'set-traits'])
  expect(steps[1]?.title).toMatch(/^Add CUSTOM_NVIDIA_T4_4C to .*, remove CUSTOM_GRID_T4_16C$/)
  expect(steps[1]?.calls[1]).toContain('"traits": ["CUSTOM_NVIDIA_T4_4C","CUSTOM_RACK_7"]')
})

it("follows the cloud's own naming rule, and shows the current traits of each provider", () => {
  const cloud = t4Cloud()
  const flavors = { ...cloud.facts.flavors, value: [] }
  const withoutFlavors = { ...cloud, facts: { ...cloud.facts, flavors } } as FleetFacts
  const { steps, traitNaming, unchanged } = plan(
    withTraits(withoutFlavors, ['CUSTOM_GRID_T4_4C', 'CUSTOM_RACK_7']),
    {
      rule: 'auto',
    },
  )
  expect([steps, unchanged.length]).toEqual([[], 1])
  expect(traitNaming).toMatchObject({
    rule: 'CUSTOM_GRID_{type}',
    origin: 'cloud',
    providers: [
      {
        host: HOST,
        typeName: 'T4-4C',
        current: ['CUSTOM_GRID_T4_4C', 'CUSTOM_RACK_7'],
        after: ['CUSTOM_GRID_T4_4C', 'CUSTOM_RACK_7'],
      },
    ],
  })
  const other = plan(withTraits(withoutFlavors, ['CUSTOM_RACK_7', 'CUSTOM_GRID_T4_16C']), { rule: 'auto' })
  expect(other.traitNaming?.providers[0]).toMatchObject({
    current: ['CUSTOM_GRID_T4_16C', 'CUSTOM_RACK_7'],
    after: ['CUSTOM_GRID_T4_4C', 'CUSTOM_RACK_7'],
  })
})

it('has no step for a pGPU that already has the target, in any file that names the type', () => {
  const { steps, unchanged } = plan(withTraits(t4Cloud(), ['CUSTOM_NVIDIA_T4_4C', 'CUSTOM_GRID_T4_4C']))
  expect(steps).toEqual([])
  expect(unchanged).toHaveLength(1)
})

it('has a step for each provider of an SR-IOV card', () => {
  const { steps } = plan(withTraits(a40Cloud(), []))
  const providers = joinFleet(a40Cloud()).hosts[0]?.pgpus[0]?.providers.length ?? 0
  expect(providers).toBeGreaterThan(1)
  expect(steps).toHaveLength(1 + providers)
})

it('leaves PCI devices in Placement alone and reports where their traits belong', () => {
  const input = editGpuProviders(t4Cloud(), (provider) => ({
    ...provider,
    name: provider.name.replace(/_pci_(\w{4})_(\w\w)_(\w\w)_(\w)$/, '_$1:$2:$3.$4'),
  }))
  const { steps, refusals } = plan(input)
  expect(steps).toEqual([])
  expect(refusals[0]?.reason).toContain('device_spec')
})

it('refuses a silent host, and a card that Placement does not know, each with its reason', () => {
  const silent = plan(editHosts(t4Cloud(), (inventory) => inventory, { isSilent: true }))
  expect(silent.refusals[0]?.reason).toContain('silent since')
  const gone = plan(editGpuProviders(t4Cloud(), () => null))
  expect(gone.refusals[0]?.reason).toContain('no resource provider')
  expect([...silent.steps, ...gone.steps]).toEqual([])
})

const asking = (trait: string, traits: string[]) =>
  editList(withTraits(t4Cloud(), traits), 'flavors', (flavor, index) =>
    index === 0
      ? {
          ...flavor,
          name: 'asks',
          extraSpecs: { 'resources:VGPU': '1', [`trait:${trait}`]: 'required' },
        }
      : null,
  )

it('reports which pGPUs flavors match from then on, and which no more', () => {
  const gpu = { host: HOST, address: ADDRESS }
  expect(plan(asking('CUSTOM_NVIDIA_T4_4C', [])).flavors).toMatchObject([
    { name: 'asks', before: 0, after: 1, gains: [gpu], loses: [] },
  ])
  expect(plan(asking('CUSTOM_NVIDIA_T4_16C', ['CUSTOM_NVIDIA_T4_16C'])).flavors).toMatchObject([
    { name: 'asks', before: 1, after: 0, gains: [], loses: [gpu] },
  ])
})

const managed = (input: FleetFacts, change: Partial<ManagedTrait> = {}): FleetFacts => ({
  ...input,
  managedTraits: [
    {
      host: HOST,
      pgpuAddress: ADDRESS,
      address: ADDRESS,
      providerName: `${HOST}_pci_0000_20_00_0`,
      trait: 'CUSTOM_NVIDIA_T4_4C',
      typeId: 'nvidia-319',
      typeName: 'T4-4C',
      providerUuid: null,
      problem: null,
      ...change,
    },
  ],
})
const keeping = (one: ReturnType<typeof plan>) =>
  one.steps.flatMap(({ task, title }) => (task.kind === 'keep-traits' ? [{ task, title }] : []))

it('managing a trait is a separate step after the traits, also for VFs without a provider', () => {
  const full = editGpuProviders(withTraits(a40Cloud(), []), (provider, index) =>
    index > 3 ? null : provider,
  )
  const { steps } = plan(full, { isManaged: true })
  expect(steps.at(-1)?.title).toMatch(/^Manage CUSTOM_NVIDIA_A40_4Q on /)
  const [keep] = keeping(plan(full, { isManaged: true }))
  expect(keep?.task.before).toEqual([])
  expect(keep?.task.after).toHaveLength(12)
  expect(keeping(plan(full))).toEqual([])
})

it('a managed trait is not added again, and a plan without management leaves it', () => {
  const input = managed(withTraits(t4Cloud(), ['CUSTOM_NVIDIA_T4_4C']))
  expect(plan(input, { isManaged: true }).unchanged).toHaveLength(1)
  expect(plan(input).steps).toEqual([])
})

it('a plan that removes a managed trait ends its management', () => {
  const input = managed(withTraits(t4Cloud(), ['CUSTOM_NVIDIA_T4_16C']), {
    trait: 'CUSTOM_NVIDIA_T4_16C',
    typeId: 'nvidia-321',
    typeName: 'T4-16C',
  })
  const [end] = keeping(plan(input))
  expect(end?.title).toMatch(/^Stop managing CUSTOM_NVIDIA_T4_16C on /)
  expect(end?.task.after).toEqual([])
  const [moved] = keeping(plan(input, { isManaged: true }))
  expect(moved?.title).toMatch(/^Manage CUSTOM_NVIDIA_T4_4C on .*, CUSTOM_NVIDIA_T4_16C no longer$/)
})

const recreated = (traits: string[]) => {
  const before = withTraits(t4Cloud(), traits)
  const traitMemory = rememberTraits(joinFleet(before))
  const made = editGpuProviders(before, (provider) => ({ ...provider, uuid: uuidOf(0x30_0000), traits: [] }))
  return { ...made, traitMemory }
}

it('without a rule exactly what was lost goes back, but for what names another type', () => {
  const input = recreated(['CUSTOM_NVIDIA_T4_16C', 'CUSTOM_RACK_7', 'CUSTOM_T4_4C'])
  const { steps, traitTexts } = plan(input, { rule: null })
  expect(steps.map(({ id }) => id.split('/').slice(0, 1).concat(id.split('/').slice(2)).join(' '))).toEqual([
    'create-trait',
    'create-trait',
    'set-traits CUSTOM_RACK_7',
    'set-traits CUSTOM_T4_4C',
  ])
  expect(steps.at(-1)?.calls[1]).toContain('"traits": ["CUSTOM_RACK_7","CUSTOM_T4_4C"]')
  expect(traitTexts?.files[0]?.text?.text).toContain("'CUSTOM_RACK_7'")
  expect(plan(recreated([]), { rule: null }).unchanged).toHaveLength(1)
})

it('the provider config has every parent of the host by name, as the plan leaves it, where nova.conf reports', () => {
  const full = editGpuProviders(withTraits(a40Cloud(), ['CUSTOM_RACK_7']), (provider, index) =>
    index > 3 ? null : provider,
  )
  const [file] = plan(full).traitTexts?.files ?? []
  const config = parse(file?.text?.text ?? '') as { providers: unknown[] }
  expect(config.providers).toHaveLength(12)
  expect(config.providers[0]).toEqual({
    identification: { name: expect.stringMatching(/_pci_0000_20_00_4$/) },
    traits: { additional: ['CUSTOM_NVIDIA_A40_4Q', 'CUSTOM_RACK_7'] },
  })
  expect(file?.text?.path).toBe('/etc/nova/provider_config/sliceboard-traits.yaml')
  const elsewhere = editHosts(full, (inventory) => ({
    ...inventory,
    novaConfig:
      inventory.novaConfig === null
        ? null
        : {
            ...inventory.novaConfig,
            options: [
              ...inventory.novaConfig.options,
              {
                section: 'compute',
                name: 'provider_config_location',
                value: '/srv/nova/providers',
                file: '/etc/nova/nova.conf',
                line: 99,
              },
            ],
          },
  }))
  expect(plan(elsewhere).traitTexts?.files[0]?.text?.path).toBe('/srv/nova/providers/sliceboard-traits.yaml')
})

const FOLDER = '/etc/nova/provider_config'
const PROVIDER = joinFleet(t4Cloud()).hosts[0]?.pgpus[0]?.providers[0]?.provider.name ?? ''

/** With an agent that reports the files of the folder. */
const withFiles = (input: FleetFacts, files: Record<string, string>) =>
  editHosts(input, (inventory) => ({
    ...inventory,
    novaConfig:
      inventory.novaConfig === null
        ? null
        : {
            ...inventory.novaConfig,
            providerConfig: {
              folder: FOLDER,
              files: Object.entries(files).map(([name, text]) => ({ name, text })),
            },
          },
  }))

const own = (trait: string) => ({
  'sliceboard-traits.yaml': providerConfigContent([{ provider: PROVIDER, traits: [trait] }]),
})

it('writes provider config last of all, between two checks nova-compute’s start', () => {
  const { steps } = plan(withFiles(withTraits(t4Cloud(), []), {}), { providerConfig: 'write' })
  expect(steps.map(({ id }) => id.replace(/[^/]*$/, ''))).toEqual([
    'create-trait/',
    'set-traits/',
    'restart-nova/back/',
    'write-provider-config/',
    'restart-nova/on/',
  ])
  expect(steps.at(-2)?.task).toMatchObject({
    path: `${FOLDER}/sliceboard-traits.yaml`,
    before: null,
    after: [{ provider: PROVIDER, traits: ['CUSTOM_NVIDIA_T4_4C'] }],
  })
  const there = withFiles(withTraits(t4Cloud(), ['CUSTOM_NVIDIA_T4_4C']), own('CUSTOM_NVIDIA_T4_4C'))
  expect(plan(there, { providerConfig: 'write' }).steps).toEqual([])
})

it.each([
  ['another’s file of that name', { 'sliceboard-traits.yaml': 'providers: []\n' }, 'was not written by'],
  [
    'another file that names the provider',
    { 'gpus.yaml': `name: '${PROVIDER}'` },
    'does not start if two files name a provider',
  ],
])('writes no provider config next to %s, and reports it', (_, files, message) => {
  const { steps, traitTexts } = plan(withFiles(withTraits(t4Cloud(), []), files), { providerConfig: 'write' })
  expect(steps.map(({ id }) => id.split('/')[0])).toEqual(['create-trait', 'set-traits'])
  expect(traitTexts?.files[0]?.unwritten).toContain(message)
})

it('writes none next to a file that names the provider by its uuid, with which nova-compute starts and stops', () => {
  const cloud = withTraits(t4Cloud(), [])
  const { uuid } = cloud.facts.providers.value?.find(({ name }) => name === PROVIDER) ?? { uuid: '' }
  const [file] = plan(withFiles(cloud, { 'gpus.yaml': `uuid: '${uuid}'` }), { providerConfig: 'write' })
    .traitTexts?.files ?? [undefined]
  expect(file?.unwritten).toContain('no longer updates Placement for this host')
})

it('writes none where nova-compute runs in a container', () => {
  const kolla = editHosts(withTraits(t4Cloud(), []), (inventory) => ({
    ...inventory,
    novaConfig: inventory.novaConfig === null ? null : { ...inventory.novaConfig, deployment: 'kolla' },
  }))
  const [file] = plan(kolla, { providerConfig: 'write' }).traitTexts?.files ?? []
  expect(file?.unwritten).toContain('container (kolla)')
})

it('takes no trait off that provider config restores, but for one that the plan takes from its own file', () => {
  const tagged = withTraits(t4Cloud(), ['CUSTOM_GRID_T4_16C'])
  const mine = withFiles(tagged, own('CUSTOM_GRID_T4_16C'))
  expect(plan(mine).refusals[0]?.reason).toContain('First remove it from provider config')
  const { steps } = plan(mine, { providerConfig: 'remove' })
  expect(steps.map(({ id }) => id.split('/')[0])).toEqual([
    'create-trait',
    'restart-nova',
    'write-provider-config',
    'restart-nova',
    'set-traits',
  ])
  expect(steps[2]?.task).toMatchObject({ after: null })
  const foreign = withFiles(tagged, { 'gpus.yaml': own('CUSTOM_GRID_T4_16C')['sliceboard-traits.yaml'] })
  expect(plan(foreign, { providerConfig: 'remove' }).refusals[0]?.reason).toContain(
    'First remove it from that file and restart nova-compute',
  )
})

it('has a step per pGPU, so that a plan of many does not block the process', () => {
  const fleet = joinFleet(t4Cloud())
  const countSteps = (gpus: number): number => {
    const target = { host: HOST, address: ADDRESS }
    const input = {
      gpus: Array.from({ length: gpus }, () => target),
      rule: DEFAULT_TRAIT_RULE,
      isManaged: false,
    }
    return [...traitsInSteps(fleet, input)].length
  }
  expect(countSteps(50) - countSteps(1)).toBe(49)
})
