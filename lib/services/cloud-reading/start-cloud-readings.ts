import 'server-only'
import { createPlacement } from '@/lib/openstack/placement/create-placement'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { staleAfterMs } from '@/lib/server/context/request-context'
import type { Runtime } from '@/lib/server/context/runtime'
import { createTraitKeeper } from '@/lib/services/kept-trait/create-trait-keeper'
import { createCloudReading } from './read-cloud'
import { startCloudReading } from './start-cloud-reading'

const startOne = async (runtime: Runtime, account: ServiceAccount): Promise<void> => {
  const { database, env, log, now, version, onStop } = runtime
  const cloud = await database.prisma.cloud.findUnique({
    where: { name: account.cloud },
    select: { id: true, name: true, region: true },
  })
  if (cloud === null) throw new Error(`the cloud ${account.cloud} was not made at the start`)
  const intervalMs = env.readIntervalSeconds * 1000
  const reading = createCloudReading({
    database,
    cloud,
    reader: createCloudReader({ account }),
    log,
    now,
    silentAfterSeconds: env.silentAfterSeconds,
    staleAfterMs: staleAfterMs(env),
    agentVersion: version,
    keeper: createTraitKeeper({ database, cloud, placement: createPlacement({ account }), log, now }),
  })
  const { stop } = startCloudReading({
    database,
    log,
    now,
    cloudName: account.cloud,
    reading,
    intervalMs,
    heartbeatMs: env.reportIntervalSeconds * 1000,
  })
  onStop(`stop reading ${account.cloud}`, stop)
}

/** Reads every configured cloud in the background, one region of each. */
export const startCloudReadings = async (runtime: Runtime): Promise<void> => {
  for (const account of runtime.accounts) await startOne(runtime, account)
}
