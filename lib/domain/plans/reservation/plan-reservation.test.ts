import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { buildFlavor, buildServer, inventoryOf, readPart, rootOf } from '@/lib/domain/testing/build-cloud'
import { novaConf, uuidOf } from '@/lib/domain/testing/build-inventory'
import {
  GPU_FLAVOR,
  K40C_CONF,
  type K40cCloud,
  k40cCloud,
  PLAIN_FLAVOR,
} from '@/lib/domain/testing/k40c-cloud'
import { cpuConfigs, wantedCpuText } from './cpu-texts'
import { planReservation } from './plan-reservation'
import { whyNoSecondService } from './plan-second-service'
import type { AggregateInput, CpuInput } from './tasks'

const CPUS: CpuInput = {
  way: 'cpus',
  host: 'hyper18',
  sharedSet: '0-20',
  dedicatedSet: '21-22',
  reservedMemoryMib: null,
  flavorIds: ['g1'],
  isMoving: false,
}
const ISOLATED: AggregateInput = {
  way: 'isolated',
  hosts: ['hyper18'],
  aggregate: 'gpu-hosts',
  trait: 'CUSTOM_GPU_HOST',
  flavorIds: ['g1'],
  isMoving: false,
}

const plan = (input: CpuInput | AggregateInput, cloud: K40cCloud = {}) => {
  const made = planReservation(joinFleet(k40cCloud(cloud)), input)
  if (made.fence === undefined) throw new Error('the plan has a fence')
  return { ...made, fence: made.fence, ids: made.steps.map(({ id }) => id) }
}
const refusalOf = (input: Partial<CpuInput>, cloud: K40cCloud = {}) =>
  plan({ ...CPUS, ...input }, cloud).fence.refusal

describe('dividing the CPUs', () => {
  test('writes both sets in place of vcpu_pin_set, restarts, verifies, and pins the flavor', () => {
    const { ids, fence: reservation, targets } = plan(CPUS)
    expect(reservation.refusal).toBeNull()
    expect(ids).toEqual([
      'restart-nova/back/hyper18',
      'write-config/hyper18',
      'restart-nova/on/hyper18',
      'verify-room/hyper18',
      'set-extra-specs/g1',
    ])
    expect(targets).toEqual([{ host: 'hyper18', address: '0000:86:00.0' }])
    expect(reservation.costs.join(' ')).toContain('vcpu_pin_set = 0-22 is removed')
  })

  test('previews what is left in numbers of this host', () => {
    const { fence: reservation } = plan(CPUS, { ordinary: 3 })
    const [host] = reservation.hosts
    expect(host?.after).toMatchObject([
      { name: 'VCPU', capacity: 84, used: 12 },
      { name: 'PCPU', capacity: 2, used: 0 },
      { name: 'MEMORY_MB', capacity: 124_704 },
      { name: 'DISK_GB' },
    ])
    expect(host?.flavors).toMatchObject([{ id: 'g1', before: 1, after: 1 }])
  })

  test('states whether memory is divided: only if the shared CPUs bound it', () => {
    const open = plan(CPUS).fence.checks[0]
    expect(open).toMatchObject({ isMet: false, text: expect.stringContaining('such as those of m1.large') })
    // 12 CPUs are 48 VCPU, 12 servers of 4 vCPU and 8 GiB: 96 GiB of 121.
    expect(plan({ ...CPUS, sharedSet: '0-11' }).fence.checks[0]).toMatchObject({ isMet: true })
  })

  test('moves as few servers away as one GPU server needs', () => {
    const { fence: reservation, ids } = plan({ ...CPUS, isMoving: true }, { ordinary: 15 })
    expect(reservation.moves).toHaveLength(1)
    expect(ids.slice(0, 2)).toEqual(['close-service/hyper18', `drain-server/${uuidOf(100)}`])
    expect(ids.at(-1)).toBe('open-service/hyper18')
    expect(reservation.hosts[0]?.flavors).toMatchObject([{ before: 0, after: 1 }])
  })

  test.each<[string, Partial<CpuInput>, K40cCloud, RegExp]>([
    ['a CPU in both sets', { dedicatedSet: '20-22' }, {}, /CPU 20 is in both sets/],
    ['a CPU that is not there', { dedicatedSet: '22-24' }, {}, /has no CPU 24, only 0-23/],
    ['what is no set', { sharedSet: '' }, {}, /cpu_shared_set is "", but it must be a list/],
    ['no GPU flavor with dedicated CPUs', { flavorIds: [] }, {}, /No GPU flavor would request/],
    ['an ordinary flavor', { flavorIds: ['m1'] }, {}, /m1\.large requests no GPU/],
    ['a Nova whose version is not known', {}, { nova: '2.38' }, /older than Ussuri/],
  ])('is refused for %s', (_, input, cloud, sentence) => {
    expect(refusalOf(input, cloud)).toMatch(sentence)
    expect(plan({ ...CPUS, ...input }, cloud).steps).toEqual([])
  })

  test('keeps the CPUs of servers that are pinned', () => {
    const held = buildServer({
      uuid: uuidOf(500),
      host: 'hyper18',
      name: 'pinned-1',
      vcpus: 2,
      memoryMib: 1024,
      diskGib: 1,
      extraSpecs: { 'hw:cpu_policy': 'dedicated' },
    })
    const conf = `${K40C_CONF.replace('vcpu_pin_set = 0-22\n', '')}\n[compute]\ncpu_shared_set = 0-19\ncpu_dedicated_set = 20-21`
    expect(refusalOf({}, { novaConf: conf, servers: [held] })).toMatch(/Keep 20-21 in it/)
  })

  test('names ordinary flavors that would take the CPUs, and hosts that a pinned flavor loses', () => {
    const greedy = buildFlavor({ id: 'x', name: 'c1.pinned', extraSpecs: { 'hw:cpu_policy': 'dedicated' } })
    const { fence: reservation } = plan(CPUS, { flavors: [GPU_FLAVOR, PLAIN_FLAVOR, greedy] })
    expect(reservation.checks[1]).toMatchObject({
      isMet: false,
      text: expect.stringMatching(/^c1\.pinned requests/),
    })
  })
})

test.each<[string, { value: number | null; nova: string; isRead?: boolean }, boolean | null, RegExp]>([
  ['a default of 0', { value: 0, nova: '2.96' }, false, /can use 0, and Nova refuses/],
  ['a default that is enough', { value: 8, nova: '2.96' }, true, /can use 8\./],
  ['none on an older Nova', { value: null, nova: '2.96' }, false, /refuses its servers with 403/],
  ['none on a newer one', { value: null, nova: '2.100' }, true, /can use any number\./],
  ['-1 on an older Nova', { value: -1, nova: '2.96' }, false, /can use -1, and/],
])('dividing the CPUs reports what quotas make of it: %s', (_, { value, nova }, isMet, text) => {
  const input = k40cCloud({ nova })
  const row = { id: 'r', serviceId: 'nova', regionId: 'r1', description: null }
  const registered = [
    { ...row, resourceName: 'class:VCPU', defaultLimit: 40 },
    ...(value === null ? [] : [{ ...row, resourceName: 'class:PCPU', defaultLimit: value }]),
  ]
  const limits = { model: 'flat', registered, project: [], novaServiceId: 'nova', novaRegionId: 'r1' }
  const facts = { ...input.facts, limits: readPart(limits) }
  const checks = planReservation(joinFleet({ ...input, facts }), CPUS).fence?.checks ?? []
  expect(checks.find((check) => check.text.includes('class:PCPU'))).toMatchObject({
    isMet,
    text: expect.stringMatching(text),
  })
  const pinned = { ...GPU_FLAVOR, extraSpecs: { ...GPU_FLAVOR.extraSpecs, 'hw:cpu_policy': 'dedicated' } }
  const flavors = readPart([pinned, PLAIN_FLAVOR])
  const already =
    planReservation(joinFleet({ ...input, facts: { ...facts, flavors } }), CPUS).fence?.checks ?? []
  expect(already.map((check) => check.text).join()).not.toContain('class:PCPU')
})

describe('the console’s own file', () => {
  const after = {
    shared: '0-20',
    dedicated: '21-22',
    pinSet: null,
    reservedCpus: null,
    reservedMemoryMib: 4096,
  }

  test('resets the old option with an empty value, and writes only what other files do not have', () => {
    expect(wantedCpuText(novaConf('vcpu_pin_set = 0-22\nreserved_host_memory_mb = 4096'), after)).toBe(
      '[DEFAULT]\nvcpu_pin_set = \n\n[compute]\ncpu_shared_set = 0-20\ncpu_dedicated_set = 21-22\n',
    )
    expect(
      wantedCpuText(
        novaConf(
          'reserved_host_memory_mb = 4096\n[compute]\ncpu_shared_set = 0-20\ncpu_dedicated_set = 21-22',
        ),
        after,
      ),
    ).toBeNull()
  })

  test('goes through the exports of type changes, the likely tool first', () => {
    const config = novaConf('vcpu_pin_set = 0-22')
    const configs = cpuConfigs('hyper18', { ...config, deployment: 'kolla' }, after)
    expect(configs[0]?.deployment).toBe('kolla-ansible')
    expect(configs.map(({ deployment }) => deployment).toSorted()).toEqual([
      'juju',
      'kolla-ansible',
      'mosk',
      'nova-conf',
      'openstack-ansible',
      'openstack-helm',
    ])
    expect(configs.every(({ texts }) => texts.some(({ text }) => text.includes('21-22')))).toBe(true)
  })

  test('is YAML that every reader takes for texts, in the place where each tool looks', () => {
    const configs = cpuConfigs('hyper18', novaConf('vcpu_pin_set = 0-22'), after)
    const parsed = Object.fromEntries(
      configs.flatMap(({ deployment, texts }) =>
        texts.flatMap(({ language, text }): [string, unknown][] =>
          language === 'yaml' ? [[deployment, parse(text, { version: '1.1' })]] : [],
        ),
      ),
    )
    const nova = {
      DEFAULT: { vcpu_pin_set: '', reserved_host_memory_mb: '4096' },
      compute: { cpu_shared_set: '0-20', cpu_dedicated_set: '21-22' },
    }
    const compute = { nova: { nova_compute: { values: { conf: { nova } } } } }
    expect(parsed).toEqual({
      mosk: {
        apiVersion: 'lcm.mirantis.com/v1alpha1',
        kind: 'OpenStackDeployment',
        spec: { nodes: { 'kubernetes.io/hostname::hyper18': { services: { compute } } } },
      },
      'openstack-helm': {
        conf: { overrides: { nova_compute: { hosts: [{ name: 'hyper18', conf: { nova } }] } } },
      },
      'openstack-ansible': { nova_nova_conf_overrides: nova },
      juju: {
        'nova-compute': {
          'vcpu-pin-set': '',
          'cpu-shared-set': '0-20',
          'cpu-dedicated-set': '21-22',
          'reserved-host-memory': 4096,
        },
      },
    })
  })
})

describe('GPU flavors only, by an aggregate', () => {
  test('tags the compute node, lets the flavor require it, and ties the aggregate last', () => {
    const { ids, fence: reservation, targets } = plan(ISOLATED)
    expect(reservation.refusal).toBeNull()
    expect(ids).toEqual([
      'create-trait/CUSTOM_GPU_HOST',
      'move-traits/on/hyper18',
      'set-extra-specs/g1',
      'create-aggregate/gpu-hosts',
      'set-aggregate-hosts/gpu-hosts',
      'set-aggregate-properties/gpu-hosts',
    ])
    expect(targets).toEqual([])
    expect(reservation.checks[0]).toMatchObject({ isMet: null })
    expect(reservation.configs.flatMap(({ texts }) => texts)).toHaveLength(6)
  })

  test('at worst keeps all of the host for GPU servers', () => {
    expect(plan(ISOLATED).fence.hosts[0]?.flavors).toMatchObject([{ id: 'g1', worst: 1 }])
  })

  test('is refused when nothing could land there any more', () => {
    expect(plan({ ...ISOLATED, flavorIds: [] }).fence.refusal).toMatch(/No GPU flavor is selected/)
  })
})

describe('a flavor for aggregates that the host is in none of', () => {
  const tied = buildFlavor({
    ...GPU_FLAVOR,
    extraSpecs: { ...GPU_FLAVOR.extraSpecs, 'aggregate_instance_extra_specs:gpu': 'true' },
  })
  const flavors = [tied, PLAIN_FLAVOR]
  const aggregate = { id: 1, uuid: uuidOf(800), name: 'gpu-hosts', availabilityZone: null, hosts: [] }
  const planIn = (requested: AggregateInput | CpuInput, metadata: Record<string, string>) => {
    const input = k40cCloud({ flavors })
    const facts = { ...input.facts, aggregates: readPart([{ ...aggregate, metadata }]) }
    return planReservation(joinFleet({ ...input, facts }), requested).fence
  }

  test('counts for nothing before and after, and the plan gives the reason', () => {
    for (const input of [CPUS, ISOLATED, { ...ISOLATED, way: 'forbidden' as const, flavorIds: [] }]) {
      const reservation = plan(input, { flavors }).fence
      expect(reservation.hosts[0]?.flavors).toMatchObject([
        { id: 'g1', before: 0, after: 0, worst: 0, short: [] },
      ])
      expect(reservation.checks).toContainEqual(
        expect.objectContaining({
          isMet: false,
          text: 'g1.gpu cannot be scheduled on hyper18, with or without the reservation: none of its aggregates has gpu=true.',
        }),
      )
    }
    expect(plan(CPUS, { flavors }).fence.flavors).toMatchObject([{ hostsBefore: 0, hostsAfter: 0 }])
  })

  test('counts once the reservation adds the host to such an aggregate', () => {
    const reservation = planIn(ISOLATED, { gpu: 'true' })
    expect(reservation?.hosts[0]?.flavors).toMatchObject([{ before: 0, after: 1, worst: 1 }])
    expect(reservation?.flavors).toMatchObject([{ hostsBefore: 0, hostsAfter: 1 }])
    expect(reservation?.checks.map(({ text }) => text).join()).not.toContain('without the reservation')
    expect(planIn(CPUS, { gpu: 'true' })?.hosts[0]?.flavors).toMatchObject([{ before: 0, after: 0 }])
  })
})

test('hosts that carry the trait already are fenced too', () => {
  const input = k40cCloud()
  const fleet = joinFleet(input)
  const [joined] = fleet.hosts
  if (joined?.root.state !== 'matched') throw new Error('the host has a root provider')
  const { value } = joined.root
  const other = {
    ...joined,
    host: { ...joined.host, name: 'hyper19' },
    root: { ...joined.root, value: { ...value, traits: ['CUSTOM_GPU_HOST'] } },
  }
  const both = { ...fleet, hosts: [joined, other] }
  expect(planReservation(both, ISOLATED).fence?.flavors).toMatchObject([{ hostsBefore: 2, hostsAfter: 2 }])
  const forbidden = { ...ISOLATED, way: 'forbidden' as const, flavorIds: [] }
  expect(planReservation(both, forbidden).fence?.flavors).toMatchObject([{ hostsBefore: 2, hostsAfter: 0 }])
})

test('ordinary flavors forbid the trait, GPU flavors stay as they are', () => {
  const { ids, fence: reservation } = plan({ ...ISOLATED, way: 'forbidden', flavorIds: [] })
  expect(ids).toEqual(['create-trait/CUSTOM_GPU_HOST', 'move-traits/on/hyper18', 'set-extra-specs/m1'])
  expect(reservation.flavors).toMatchObject([{ id: 'm1', value: 'forbidden', hostsBefore: 1, hostsAfter: 0 }])
})

describe('a flavor of licenses, which are no GPUs', () => {
  const specs = { 'resources:CUSTOM_LICENSE': '1' }
  const licensed = buildFlavor({ id: 'lic', name: 'licensed', extraSpecs: specs })
  const pinned = buildFlavor({
    id: 'pin',
    name: 'licensed.pinned',
    extraSpecs: { ...specs, 'hw:cpu_policy': 'dedicated' },
  })
  const server = buildServer({
    uuid: uuidOf(600),
    host: 'hyper18',
    name: 'licensed-1',
    flavorName: 'licensed',
    diskGib: 40,
    extraSpecs: specs,
  })
  const input = k40cCloud({ flavors: [GPU_FLAVOR, licensed, pinned], servers: [server] })
  const license = rootOf('license-host', 78, { inventories: { CUSTOM_LICENSE: inventoryOf(4, 0) } })
  const providers = readPart([...(input.facts.providers.value ?? []), license])
  const fleet = joinFleet({ ...input, facts: { ...input.facts, providers } })

  test('is kept off the host like any other, and its servers count as ordinary', () => {
    const made = planReservation(fleet, { ...ISOLATED, way: 'forbidden', flavorIds: [] })
    expect(made.steps.map(({ id }) => id)).toContain('set-extra-specs/lic')
    expect(made.fence?.costs.join(' ')).toContain('1 ordinary server that runs there stays')
    const both = planReservation(fleet, { ...ISOLATED, flavorIds: ['g1', 'lic'] }).fence
    expect(both?.refusal).toBe('licensed requests no GPU. Deselect it.')
  })

  test('takes its share of CPUs, memory and disk at worst', () => {
    const { fence: reservation } = planReservation(fleet, CPUS)
    expect(reservation?.checks[0]?.text).toContain('such as those of licensed')
    expect(reservation?.checks[1]).toMatchObject({
      isMet: false,
      text: expect.stringMatching(/^licensed\.pinned/),
    })
    expect(planReservation(fleet, { ...CPUS, flavorIds: ['lic'] }).fence?.refusal).toMatch(
      /^licensed requests no GPU/,
    )
  })
})

describe('a second nova-compute', () => {
  test('is refused from Ocata on, with the reason of the release', () => {
    expect(whyNoSecondService('2.38')).toBeNull()
    expect(whyNoSecondService('2.42')).toMatch(/works? up to Newton \(2\.38\), and this cloud has Nova 2\.42/)
    expect(whyNoSecondService('2.42')).not.toMatch(/compute_id/)
    expect(whyNoSecondService('2.96')).toMatch(/compute_id/)
    expect(whyNoSecondService(null)).toMatch(/has not reported its version/)
  })

  test('is previewed in numbers of this host: what either service would have', () => {
    const reservation = planReservation(joinFleet(k40cCloud({ ordinary: 15 })), {
      way: 'second-service',
      host: 'hyper18',
      secondHost: 'gpu18',
      sharedSet: '0-20',
      dedicatedSet: '21-22',
      memoryMib: 8192,
    }).fence
    expect(reservation?.hosts).toMatchObject([
      {
        host: 'hyper18',
        stateBefore: 'starved',
        // nova.conf reserves 4096 MiB now.
        before: [{ name: 'VCPU', capacity: 92 }, { name: 'MEMORY_MB', capacity: 124_704 }, {}],
        after: [{ name: 'VCPU', capacity: 84 }, { name: 'MEMORY_MB', capacity: 120_608 }, {}],
        flavors: [{ id: 'g1', before: 0, after: 1, worst: 1, short: [] }],
      },
    ])
    expect(reservation?.costs[0]).toBe(
      'gpu18 gets 8 VCPU and 8192 MiB for GPU servers; ordinary servers get 84 VCPU and 120608 MiB instead of 92 and 124704.',
    )
  })

  test('shows its texts and its traps all the same', () => {
    const made = planReservation(joinFleet(k40cCloud()), {
      way: 'second-service',
      host: 'hyper18',
      secondHost: 'gpu18',
      sharedSet: '0-20',
      dedicatedSet: '20-22',
      memoryMib: 4096,
    })
    expect(made.steps).toEqual([])
    expect(made.fence?.checks.map(({ text, isMet }) => [isMet, text.slice(0, 40)])).toEqual([
      [false, 'Two nova-compute services with one hypervi'.slice(0, 40)],
      [false, 'Port binding fails for every server of gpu18: no'.slice(0, 40)],
      [false, 'Both resource trackers count the same CPUs.'.slice(0, 40)],
      [null, "Each resource tracker sees all of the host's".slice(0, 40)],
      [false, 'Both services count the disk: each reports the whole'.slice(0, 40)],
      [true, 'No nova-compute service has the name gpu18 yet.'.slice(0, 40)],
    ])
    const texts = made.fence?.configs.find(({ deployment }) => deployment === 'nova-conf')?.texts ?? []
    expect(texts.map(({ path }) => path)).toEqual([
      '/etc/nova/nova-gpu.conf on hyper18',
      '/etc/nova/nova.conf on hyper18',
      '/etc/systemd/system/openstack-nova-gpu.service on hyper18',
      'with python-openstackclient, as an admin',
    ])
    // 128,800 MiB are there, and 4096 of them the second service's.
    expect(texts[0]?.text).toContain('reserved_host_memory_mb = 124704')
    expect(texts[0]?.text).toContain('pci_passthrough_whitelist = [{"vendor_id":"10de","product_id":"1024"}]')
  })
})
