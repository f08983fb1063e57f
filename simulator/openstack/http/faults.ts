import { setTimeout as wait } from 'node:timers/promises'
import type { ApiAnswer, ServiceName } from './api-request'

/** What is wrong with a service: nothing listens, a proxy's 503, its own error, or it answers slowly. */
export type ServiceFault =
  | { kind: 'hang-up' }
  | { kind: 'status'; status: number; retryAfterSeconds?: number; pathIncludes?: string }
  | { kind: 'slow'; delayMs: number }
  | { kind: 'nonsense' }

export type ServiceFaults = Map<ServiceName, ServiceFault>

const PROXY_PAGE = '<html><body><h1>503 Service Unavailable</h1>No server is available.</body></html>'

/** The answer of a service that is broken; null when it answers normally, perhaps later. */
export const meetFault = async (
  faults: ServiceFaults,
  service: ServiceName,
  path: string,
): Promise<ApiAnswer | 'hang-up' | null> => {
  const fault = faults.get(service)
  switch (fault?.kind) {
    case undefined:
      return null
    case 'hang-up':
      return 'hang-up'
    case 'nonsense':
      return { status: 200, html: '<html>It works!</html>' }
    case 'slow':
      await wait(fault.delayMs)
      return null
    case 'status': {
      if (fault.pathIncludes !== undefined && !path.includes(fault.pathIncludes)) return null
      const retry = fault.retryAfterSeconds
      return {
        status: fault.status,
        ...(retry === undefined ? {} : { headers: { 'retry-after': String(retry) } }),
        ...(fault.status === 503
          ? { html: PROXY_PAGE }
          : { body: { error: { code: fault.status, message: 'The simulated service fails on purpose.' } } }),
      }
    }
  }
}
