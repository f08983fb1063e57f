import {
  novaSpec,
  novaType,
  UBUNTU_1804,
  UBUNTU_2204,
  UBUNTU_2404,
  vgpu,
} from '@/simulator/fixtures/host-parts'
import type { GpuSpec } from '@/simulator/host-tree/host-spec'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { boards, cards } from './card-slots'
import { churn, fleetHost, retype, slotsOf, withVgpus } from './fleet-parts'

const t4 = (layout: 'quad' | 'octo'): GpuSpec[] => cards(layout, { model: 'T4', sharing: 'same-type' })

/** Made when e7 was configured for T4-4C; nothing uses them, and they keep the card from its T4-8C. */
const orphans = [0, 1, 2].map((index) => vgpu('0000:e7:00.0', 'nvidia-319', index))

const mixedT4 = (): FleetHost => {
  const gpus = withVgpus(t4('octo'), orphans)
  const [c18, c19, c35, c36, e7, e8, f4, f5] = gpus.map((gpu) => gpu.address)
  const known = (addresses: (string | undefined)[]): string[] => addresses.flatMap((address) => address ?? [])
  return fleetHost({
    name: 'cmp-r2-07',
    gpus,
    system: UBUNTU_1804,
    projects: ['bio-ml', 'speech-team'],
    story: churn(0.72),
    nova: novaSpec({
      deployment: 'openstack-helm',
      version: '22.4.0',
      optionNames: 'old',
      types: [
        novaType('nvidia-320', { addresses: known([c18, c19, c35, c36, e7, e8]) }),
        novaType('nvidia-321', { addresses: known([f4, f5]) }),
      ],
    }),
  })
}

const a2 = (): FleetHost => {
  const gpus = cards('dual', { model: 'A2' })
  const slots = slotsOf(gpus)
  return fleetHost({
    name: 'cmp-r4-05',
    gpus,
    system: UBUNTU_2404,
    projects: ['platform', 'speech-team'],
    story: churn(0.6),
    nova: novaSpec({
      deployment: 'snap',
      version: '30.1.0',
      types: [
        novaType('nvidia-746', { addresses: slots.filter((_, index) => index % 2 === 0) }),
        novaType('nvidia-754', { addresses: slots.filter((_, index) => index % 2 === 1) }),
      ],
    }),
  })
}

/** Half of the cards as on cmp-r1-02, so that desktops can move between the two. */
const desktops = (): FleetHost => {
  const gpus = t4('octo')
  return fleetHost({
    name: 'cmp-r1-01',
    gpus,
    projects: ['vdi-north'],
    story: churn(0.66, { canReboot: true }),
    nova: novaSpec({
      deployment: 'openstack-helm',
      version: '29.2.0',
      types: [
        novaType('nvidia-231', { addresses: slotsOf(gpus.slice(0, 4)) }),
        novaType('nvidia-230', { addresses: slotsOf(gpus.slice(4)) }),
      ],
    }),
  })
}

/** One card as on cmp-r4-01; no max_instances, so Nova reports a vGPU for each VF. */
const twoA40 = (): FleetHost => {
  const gpus = cards('dual', { model: 'A40' })
  return fleetHost({
    name: 'cmp-r4-02',
    gpus,
    projects: ['render-farm'],
    story: churn(0.7),
    connection: { kind: 'in-turns', connectedMs: 300_000, lostMs: 150_000 },
    nova: novaSpec({
      version: '30.0.1',
      types: [
        novaType('nvidia-560', { addresses: slotsOf(gpus.slice(0, 1)) }),
        novaType('nvidia-562', { addresses: slotsOf(gpus.slice(1)) }),
      ],
    }),
  })
}

/**
 * The address is in upper case, so Nova never matches it and the card takes the other type; the two V100-4Q that were
 * created there before an admin edited the file now lock it.
 */
const mistyped = (): FleetHost => {
  const left = [0, 1].map((index) => vgpu('0000:a1:00.0', 'nvidia-107', index))
  return fleetHost({
    name: 'cmp-r3-02',
    gpus: withVgpus(cards('quad', { model: 'V100', sharing: 'same-type' }), left),
    projects: ['cfd-lab'],
    story: churn(0.5, { canHaveTornXml: true }),
    nova: novaSpec({
      deployment: 'kolla',
      types: [novaType('nvidia-108'), novaType('nvidia-107', { addresses: ['0000:A1:00.0'] })],
    }),
  })
}

/** Desktops and drawing: racks 1 to 4. */
export const desktopRacks = (): FleetHost[] => [
  desktops(),
  fleetHost({
    name: 'cmp-r1-02',
    gpus: t4('octo'),
    projects: ['vdi-north', 'vdi-north', 'campus-cad'],
    story: churn(0.58, { canReboot: true }),
    nova: novaSpec({ deployment: 'openstack-helm', version: '29.2.0', types: [novaType('nvidia-230')] }),
  }),
  mixedT4(),
  fleetHost({
    name: 'cmp-r2-08',
    gpus: t4('quad'),
    projects: ['campus-cad', 'render-farm'],
    story: retype(0.6, [novaType('nvidia-233')]),
    nova: novaSpec({ version: '29.2.0', types: [novaType('nvidia-232')] }),
  }),
  fleetHost({
    name: 'cmp-r3-01',
    gpus: cards('quad', { model: 'V100', sharing: 'same-type' }),
    projects: ['render-farm', 'cfd-lab'],
    story: churn(0.63, { canReboot: true, canHaveTornXml: true }),
    nova: novaSpec({ deployment: 'kolla', types: [novaType('nvidia-107')] }),
  }),
  mistyped(),
  fleetHost({
    name: 'cmp-r3-03',
    gpus: boards([{ firstBus: 0x84, numaNode: 1 }], { model: 'M10', sharing: 'same-type' }),
    system: UBUNTU_1804,
    projects: ['vdi-north'],
    story: churn(0.55),
    nova: novaSpec({ version: '23.2.2', optionNames: 'old', types: [novaType('nvidia-39')] }),
  }),
  fleetHost({
    name: 'cmp-r4-01',
    gpus: cards('quad', { model: 'A40' }),
    projects: ['campus-cad', 'render-farm', 'render-farm'],
    story: churn(0.68),
    nova: novaSpec({ version: '30.0.1', types: [novaType('nvidia-560', { maxInstances: 48 })] }),
  }),
  twoA40(),
  fleetHost({
    name: 'cmp-r4-04',
    gpus: boards(
      [
        { firstBus: 0x3d, numaNode: 0 },
        { firstBus: 0xc4, numaNode: 1 },
      ],
      { model: 'A16' },
    ),
    system: UBUNTU_2204,
    projects: ['campus-cad', 'vdi-north'],
    story: churn(0.62),
    nova: novaSpec({ version: '30.0.1', types: [novaType('nvidia-713', { maxInstances: 32 })] }),
  }),
  a2(),
]
