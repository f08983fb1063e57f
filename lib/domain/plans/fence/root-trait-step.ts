import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { http, httpPart } from '@/lib/util/encode/http'
import { sh, shellWord } from '@/lib/util/encode/shell'
import type { ReservationStep } from './tasks'

/** Puts a trait on the root provider of a compute node, where Nova keeps those of others. */
export const rootTraitStep = ({ host, root }: JoinedHost, trait: string): ReservationStep => {
  const name = root.value?.name ?? host.name
  return {
    id: `move-traits/on/${name}`,
    title: `Put ${trait} on the compute node ${name}`,
    doer: 'console',
    calls: [
      http`GET /resource_providers?name=${httpPart(name)}`,
      http`GET /resource_providers/<uuid>/traits`,
      http`PUT /resource_providers/<uuid>/traits`,
    ],
    command: sh`named_traits ${shellWord(name)} '' ${shellWord(trait)}`,
    undoCommand: sh`named_traits ${shellWord(name)} ${shellWord(trait)} ''`,
    sees: `The root provider ${name} does not have ${trait}.`,
    precondition: 'Placement has the root provider of the compute node.',
    check: `The provider ${name} has ${trait}. Nova leaves traits of others on root providers.`,
    undo: `Takes ${trait} off again; other traits stay.`,
    task: {
      kind: 'move-traits',
      host: host.name,
      provider: { address: '', name },
      direction: 'on',
      traits: [trait],
      foreign: [],
    },
  }
}
