import { novaSpec, novaType, UBUNTU_2404 } from '@/simulator/fixtures/host-parts'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { cards } from './card-places'
import { churn, fleetHost } from './fleet-parts'

const inferenceHost = (name: string, targetUse: number): FleetHost =>
  fleetHost({
    name,
    gpus: cards('quad', { model: 'T4', sharing: 'same-type' }),
    system: UBUNTU_2404,
    projects: ['speech-team', 'bio-ml'],
    story: churn(targetUse),
    nova: novaSpec({ version: '30.1.0', types: [novaType('nvidia-319')] }),
  })

/** Two hosts of one type, the first busier: what has to leave one for a change of its type can go to the other. */
export const inferencePair = (): FleetHost[] => [
  inferenceHost('cmp-r2-05', 0.6),
  inferenceHost('cmp-r2-06', 0.3),
]
