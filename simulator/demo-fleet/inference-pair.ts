import { novaSpec, novaType, RHEL_94 } from '@/simulator/fixtures/host-parts'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { cards } from './card-slots'
import { churn, fleetHost } from './fleet-parts'

const inferenceHost = (name: string, targetUse: number): FleetHost =>
  fleetHost({
    name,
    gpus: cards('quad', { model: 'T4', sharing: 'same-type' }),
    system: RHEL_94,
    projects: ['speech-team', 'bio-ml'],
    story: churn(targetUse),
    nova: novaSpec({ version: '30.1.0', types: [novaType('nvidia-319')] }),
  })

/**
 * T4-4C on packages whose nova.conf takes drop-ins, the first busier: what has to leave one host for a change of its type has
 * room on the other.
 */
export const inferencePair = (): FleetHost[] => [
  inferenceHost('cmp-r2-05', 0.45),
  inferenceHost('cmp-r2-06', 0.25),
]
