import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { shellQuote } from '../shell-quote'
import type { PlannedStep } from '../types'

/** Puts a trait on the root provider of a compute node, where Nova keeps those of others. */
export const rootTraitStep = ({ host, root }: JoinedHost, trait: string): PlannedStep => {
  const name = root.value?.name ?? host.name
  return {
    id: `move-traits/on/${name}`,
    title: `Put ${trait} on the compute node ${name}`,
    doer: 'console',
    calls: [
      `GET /resource_providers?name=${name}`,
      'GET /resource_providers/<uuid>/traits',
      'PUT /resource_providers/<uuid>/traits',
    ],
    command: `named_traits ${shellQuote(name)} '' ${shellQuote(trait)}`,
    undoCommand: `named_traits ${shellQuote(name)} ${shellQuote(trait)} ''`,
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
