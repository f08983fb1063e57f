import { describe, expect, test } from 'vitest'
import type { HostLayout } from './host-steps/host-layout'
import type { StepTask } from './types'
import { kindsThatWrite, layoutTargets, limitTarget, typeTargets, writtenTargets } from './written-targets'

const [A, B] = ['0000:41:00.0', '0000:42:00.0']
const host = 'cmp-01'

/** Both cards listed by address; a type without a card has no options. */
const layout = (types: { [A]: string; [B]: string }, maxInstances: number | null = null): HostLayout => ({
  parents: Object.entries(types).map(([address, typeId]) => ({ address, typeId })),
  types: [...new Set(Object.values(types))].map((typeId) => ({
    typeId,
    addresses: Object.entries(types).flatMap(([address, own]) => (own === typeId ? [address] : [])),
    mdevClass: null,
    maxInstances,
  })),
})

const scope = { serviceId: 'nova', regionId: null }
const own = { resourceName: 'class:VGPU', projectId: 'p1', projectName: 'lab', seen: 1, wanted: 2 }
const change = { key: 'vgpu', seen: null, wanted: '1' }
const flavor = { flavorId: 'f1', flavorName: 'vgpu.small', changes: [change] }
const file = { host, file: '99-sliceboard.conf', startedAt: null }
const before = layout({ [A]: 'nvidia-319', [B]: 'nvidia-319' })

type Sample<Kind extends StepTask['kind']> = Extract<StepTask, { kind: Kind }>

const setTraits: Sample<'set-traits'> = {
  kind: 'set-traits',
  host,
  pgpuAddress: A,
  address: A,
  providerName: `${host}_pci_0000_41_00_0`,
  providerUuid: 'u1',
  typeId: 'nvidia-319',
  typeName: 'T4-4C',
  trait: 'CUSTOM_T4_4C',
  otherTypes: [],
  seen: [],
}
const moveTraits: Sample<'move-traits'> = {
  kind: 'move-traits',
  host,
  provider: { address: A, name: `${host}_pci_0000_41_00_0` },
  direction: 'on',
  traits: [],
  foreign: [],
}
const retype: Sample<'write-config'> = {
  ...file,
  kind: 'write-config',
  before,
  after: layout({ [A]: 'nvidia-320', [B]: 'nvidia-319' }),
}
const setVfioType: Sample<'set-vfio-type'> = {
  kind: 'set-vfio-type',
  host,
  pgpuAddress: A,
  address: A,
  from: 0,
  to: 1156,
  fromName: 'none',
  toName: 'L40S-8Q',
}
const service = { host, service: host, reason: 'change 1' }
const test1 = {
  name: 't',
  flavorId: 'f1',
  flavorName: 'vgpu.small',
  imageId: 'i1',
  networks: 'none' as const,
  plannedAt: '2026-11-27T10:00:00.000Z',
}

/** Kinds that write the same objects, with a task of each that writes the same one. */
const GROUPS: readonly (readonly StepTask[])[] = [
  [setTraits, moveTraits],
  [{ kind: 'keep-traits', host, pgpuAddress: A, rootName: host, before: [], after: [] }],
  [
    { kind: 'close-service', ...service },
    { kind: 'open-service', ...service, verify: [] },
    { kind: 'test-boot', ...service, test: test1, addresses: [A], typeId: 'nvidia-319', typeName: 'T4-4C' },
  ],
  [retype],
  [setVfioType],
  [{ kind: 'bind-driver', host, pgpuAddress: A, address: A, from: null, to: 'nvidia' }],
  [{ kind: 'write-provider-config', host, path: '/p/own.yaml', before: null, after: null, startedAt: null }],
  [{ kind: 'set-extra-specs', ...flavor }],
  [{ kind: 'describe-flavor', ...flavor }],
  [{ kind: 'set-flavor-access', ...flavor, projectNames: {} }],
  [{ kind: 'set-aggregate-hosts', aggregate: 'gpu', changes: [change] }],
  [{ kind: 'set-aggregate-properties', aggregate: 'gpu', changes: [change] }],
  [
    {
      kind: 'create-registered-limits',
      limitScope: scope,
      limits: [{ resourceName: 'class:VGPU', defaultLimit: 1 }],
    },
    {
      kind: 'set-registered-limit',
      stepId: 's1',
      limitScope: scope,
      resourceName: 'class:VGPU',
      seen: 1,
      wanted: 2,
      overrides: [own],
    },
    { kind: 'set-project-limits', stepId: 's2', limitScope: scope, limits: [own] },
    {
      kind: 'remove-stray-limits',
      serviceId: 'nova',
      registered: [{ resourceName: 'class:VGPU', defaultLimit: 1 }],
      limits: [{ ...own, resourceLimit: 1 }],
    },
  ],
]

describe('kinds that write a target', () => {
  test.each(GROUPS.map((tasks) => [tasks.map(({ kind }) => kind), tasks] as const))('%j', (kinds, tasks) => {
    for (const task of tasks) {
      expect(writtenTargets(task)).not.toEqual([])
      expect(kindsThatWrite(writtenTargets(task)).toSorted()).toEqual(kinds.toSorted())
    }
  })

  test('no two groups write the same target', () => {
    const targets = GROUPS.map((tasks) => new Set(tasks.flatMap(writtenTargets)))
    const all = targets.flatMap((group) => [...group])
    expect(new Set(all).size).toBe(all.length)
  })

  test('the type of a device is given by nova.conf or by its VF', () => {
    expect(kindsThatWrite(typeTargets({ host, address: A })).toSorted()).toEqual([
      'set-vfio-type',
      'write-config',
    ])
  })

  test('a step that only checks writes nothing', () => {
    expect(writtenTargets({ kind: 'delete-test', host, test: test1 })).toEqual([])
    expect(kindsThatWrite([])).toEqual([])
  })
})

describe('targets', () => {
  const writesTypeOf = (task: StepTask, address: string): boolean =>
    typeTargets({ host, address }).some((target) => writtenTargets(task).includes(target))

  test('a step that changes the type of one card does not write that of another', () => {
    expect(writesTypeOf(retype, A)).toBe(true)
    expect(writesTypeOf(retype, B)).toBe(false)
    expect(writesTypeOf(setVfioType, A)).toBe(true)
    expect(writesTypeOf(setVfioType, B)).toBe(false)
  })

  test('a nova.conf that differs at the other card is not written by the step', () => {
    const now = layout({ [A]: 'nvidia-319', [B]: 'nvidia-321' })
    const differing = layoutTargets(host, { expected: before, now })
    expect(differing).not.toEqual([])
    expect(differing.some((target) => writtenTargets(retype).includes(target))).toBe(false)
  })

  test('the bound of a type is its own target', () => {
    const bounded: StepTask = {
      ...retype,
      before,
      after: layout({ [A]: 'nvidia-319', [B]: 'nvidia-319' }, 4),
    }
    const now = layout({ [A]: 'nvidia-319', [B]: 'nvidia-319' }, 2)
    expect(writtenTargets(bounded)).toEqual(layoutTargets(host, { expected: before, now }))
    expect(writtenTargets(bounded)).toHaveLength(1)
  })

  test('a default and the limit of a project are different targets', () => {
    const [resourceName, projectId] = ['class:VGPU', 'p1']
    expect(limitTarget(scope, { resourceName })).not.toBe(limitTarget(scope, { resourceName, projectId }))
  })
})
