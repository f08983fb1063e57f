import { novaConfFiles } from '@/simulator/host-tree/render-nova-conf'
import { type Control, type ControlContext, ControlError, computeOf, hostOf } from './control'

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

  /** Writes a file next to the host's nova.conf; without a value it is deleted. Nova reads it at its next start. */
  const writeNovaConf: Control = (args = {}) => {
    const { living } = hostOf(context, args.host)
    const spec = living.spec()
    const path = args.kind ?? '/etc/nova/nova.conf.d/vgpu.conf'
    const others = novaConfFiles(spec.name, spec.nova).filter((file) => file.path !== path)
    const files = args.value === undefined ? others : [...others, { path, text: args.value }]
    living.become({ ...spec, nova: { ...spec.nova, files } })
    return `${path} on ${living.name} was ${args.value === undefined ? 'taken away' : 'written'}`
  }

  const restartNova: Control = (args = {}) => {
    const { living } = hostOf(context, args.host)
    living.restartNova()
    const failure = living.spec().nova.process?.failure ?? null
    if (failure !== null) throw new ControlError(`nova-compute on ${living.name} does not start: ${failure}`)
    return `nova-compute on ${living.name} was restarted`
  }

  /** nova-scheduler is started with the option; value `false`: without it. */
  const isolateAggregates: Control = (args = {}) => {
    const isOn = args.value !== 'false'
    context.cloud.nova.isIsolatingAggregates = isOn
    return `aggregates with a required trait ${isOn ? 'take' : 'do not keep out'} flavors that ${isOn ? 'require it alone' : 'lack it'}`
  }

  return {
    isolateAggregates,
    writeNovaConf,
    restartNova,
    disableService,
    enableService,
    stopService,
    forceDown,
    loseCell,
  }
}
