import { allocationControls } from './allocation-controls'
import { apiControls } from './api-controls'
import type { Control, ControlContext } from './control'
import { flavorControls } from './flavor-controls'
import { limitControls } from './limit-controls'
import { providerControls } from './provider-controls'
import { serverControls } from './server-controls'
import { serviceControls } from './service-controls'

/** Everything that can be broken by name, in tests and by hand. */
export const createControls = (context: ControlContext) => {
  const refresh: Control = (args = {}) => {
    context.refresh(args.host)
    return `nova-compute reported on ${args.host ?? 'every host'}`
  }

  const heal: Control = () => {
    context.faults.clear()
    context.rebuild()
    return 'Nova, Placement and the limits are as the hosts would have them'
  }

  return {
    ...allocationControls(context),
    ...serverControls(context),
    ...providerControls(context),
    ...serviceControls(context),
    ...limitControls(context),
    ...flavorControls(context),
    ...apiControls(context),
    refresh,
    heal,
  }
}

export type Controls = ReturnType<typeof createControls>
