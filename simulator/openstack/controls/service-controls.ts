import { type Control, type ControlContext, computeOf } from './control'

/** nova-compute as Nova sees it. */
export const serviceControls = (context: ControlContext) => {
  const disableService: Control = (args = {}) => {
    const compute = computeOf(context, args.host)
    Object.assign(compute, { isDisabled: true, disabledReason: args.value ?? 'maintenance' })
    context.refresh(compute.host)
    return `nova-compute on ${compute.host} is disabled: ${compute.disabledReason}`
  }

  const enableService: Control = (args = {}) => {
    const compute = computeOf(context, args.host)
    Object.assign(compute, {
      isDisabled: false,
      disabledReason: null,
      isDown: false,
      isForcedDown: false,
      isCellDown: false,
    })
    context.refresh(compute.host)
    return `nova-compute on ${compute.host} is enabled and up`
  }

  /** No more heartbeats and no more inventories. */
  const stopService: Control = (args = {}) => {
    const compute = computeOf(context, args.host)
    compute.isDown = true
    return `nova-compute on ${compute.host} is down`
  }

  const forceDown: Control = (args = {}) => {
    const compute = computeOf(context, args.host)
    compute.isForcedDown = true
    return `nova-compute on ${compute.host} is forced down`
  }

  const loseCell: Control = (args = {}) => {
    const compute = computeOf(context, args.host)
    compute.isCellDown = true
    return `the cell of ${compute.host} can't be reached`
  }

  return { disableService, enableService, stopService, forceDown, loseCell }
}
