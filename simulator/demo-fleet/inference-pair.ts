import { novaSpec, novaType, RHEL_94 } from '@/simulator/fixtures/host-parts'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { cards } from './card-places'
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
 * Two hosts of one type, the first busier: what has to leave one for a change of its type can go to the other. On RHEL a
 * drop-in comes after nova-compute.conf; Debian and Ubuntu read it before, and it would count for nothing.
 */
export const inferencePair = (): FleetHost[] => [
  inferenceHost('cmp-r2-05', 0.6),
  inferenceHost('cmp-r2-06', 0.3),
]
