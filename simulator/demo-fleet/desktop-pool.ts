import { DEBIAN_13, novaSpec, novaType, RHEL_94 } from '@/simulator/fixtures/host-parts'
import type { SystemSpec } from '@/simulator/host-tree/host-spec'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { cards } from './card-slots'
import { churn, fleetHost } from './fleet-parts'

/** What nova's documentation advises for vGPUs. */
const ADVISED = [
  'live_migration_downtime = 500000',
  'live_migration_downtime_steps = 3',
  'live_migration_downtime_delay = 3',
  'live_migration_completion_timeout = 0',
]

type PoolHost = { name: string; system: SystemSpec; libvirt: string[]; targetUse: number; version?: string }

const poolHost = ({ name, system, libvirt, targetUse, version = '29.2.1' }: PoolHost): FleetHost =>
  fleetHost({
    name,
    gpus: cards('dual', { model: 'T4', sharing: 'same-type' }),
    system,
    projects: ['vdi-north', 'campus-cad'],
    story: churn(targetUse),
    nova: novaSpec({
      version,
      types: [novaType('nvidia-230')],
      ...(libvirt.length === 0 ? {} : { sections: { libvirt } }),
    }),
  })

/**
 * Desktops of the same type as on cmp-r1-01 and -02, in the middle of an upgrade: some can move to each other, some are full,
 * one has the next driver already, one lets migrations go over to post-copy, one has the settings of an ordinary host.
 */
export const desktopPool = (): FleetHost[] => [
  poolHost({ name: 'cmp-r1-03', system: RHEL_94, libvirt: ADVISED, targetUse: 0.55 }),
  poolHost({ name: 'cmp-r1-04', system: RHEL_94, libvirt: ADVISED, targetUse: 1 }),
  poolHost({ name: 'cmp-r1-05', system: DEBIAN_13, libvirt: ADVISED, targetUse: 0.5, version: '30.1.0' }),
  poolHost({ name: 'cmp-r1-06', system: DEBIAN_13, libvirt: [], targetUse: 0.6, version: '30.1.0' }),
  poolHost({
    name: 'cmp-r1-07',
    system: { ...RHEL_94, nvidiaDriverVersion: '570.133.10' },
    libvirt: ADVISED,
    targetUse: 0.6,
  }),
  poolHost({
    name: 'cmp-r1-08',
    system: RHEL_94,
    libvirt: [...ADVISED, 'live_migration_permit_post_copy = True'],
    targetUse: 0.6,
  }),
]
