import 'server-only'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'

const KEY = Symbol.for('sliceboard.process-metrics')

// Next's bundles each load their own copy of this module; globalThis is what they share, so collecting starts once.
const holder = globalThis as { [KEY]?: Registry }

/** Gauges that prom-client names like counters, which `promtool check metrics` refuses. Others say the same by kind. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

const started = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  return registry
}

/** CPU, memory, event loop and collections of this process in Prometheus's text format, from the first call on. */
const processMetrics = (): Promise<string> => {
  holder[KEY] ??= started()
  return holder[KEY].metrics()
}

/** The console's own health for Prometheus: CPU, memory and event loop of the replica that answers. */
export const getProcessMetrics = async (ctx: Pick<ServiceContext, 'actor'>): Promise<string> => {
  requirePermission(ctx, 'fleet.read')
  return processMetrics()
}
