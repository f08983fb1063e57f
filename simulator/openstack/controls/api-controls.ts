import type { ServiceName } from '../http/api-request'
import type { ServiceFault } from '../http/faults'
import { type Control, type ControlArgs, type ControlContext, ControlError, numberOf } from './control'

const SERVICES: readonly string[] = [
  'keystone',
  'placement',
  'nova',
  'neutron',
  'glance',
] satisfies ServiceName[]

const isService = (name: string | undefined): name is ServiceName =>
  name !== undefined && SERVICES.includes(name)

const serviceOf = ({ service }: ControlArgs): ServiceName => {
  if (isService(service)) return service
  throw new ControlError(`"${service ?? ''}" is no service: take one of ${SERVICES.join(', ')}.`)
}

const faultOf = ({ kind = 'down', value }: ControlArgs): ServiceFault => {
  if (kind === 'down') return { kind: 'hang-up' }
  if (kind === 'slow') return { kind: 'slow', delayMs: numberOf(value, 30_000) }
  if (kind === 'nonsense') return { kind: 'nonsense' }
  if (kind === '429') return { kind: 'status', status: 429, retryAfterSeconds: numberOf(value, 2) }
  if (/^[45]\d\d$/.test(kind)) return { kind: 'status', status: Number(kind) }
  throw new ControlError(`"${kind}" is no fault: take down, slow, nonsense or a status from 400 to 599.`)
}

/** What goes wrong with the services themselves. */
export const apiControls = ({ cloud, faults }: ControlContext) => {
  const breakApi: Control = (args = {}) => {
    const service = serviceOf(args)
    const fault = faultOf(args)
    faults.set(service, fault)
    return `${service} is broken: ${JSON.stringify(fault)}`
  }

  const repairApi: Control = (args = {}) => {
    if (args.service === undefined) faults.clear()
    else faults.delete(serviceOf(args))
    return `${args.service ?? 'every service'} answers again`
  }

  /** As after a change of Keystone's keys: every token is refused with 401. */
  const expireTokens: Control = () => {
    const count = cloud.keystone.tokens.size
    cloud.keystone.tokens.clear()
    return `${count} tokens are valid no more`
  }

  return { breakApi, repairApi, expireTokens }
}
