import * as z from 'zod'
import { DEMO_ACCOUNTS } from '@/simulator/openstack/demo-cloud/accounts'
import { signIn } from '../tenant/signed-in'
import type { PreparedWorld } from './prepare-world'
import type { MeasuredConsole } from './run-console'
import { seedChanges } from './seed-changes'

/** A console that has just started and reads the cloud no more, with an admin and a tenant. */
export type SignedInConsole = { console: MeasuredConsole; admin: string; tenant: string; samples: Samples }

const samplesSchema = z.object({
  finding: z.int().nullable(),
  change: z.int().nullable(),
  host: z.string(),
  address: z.string(),
  type: z.string(),
})

/** One entry of each list, whose page is measured. */
export type Samples = z.infer<typeof samplesSchema> & { flavor: string }

// SQL: one row of each list without the work of their services.
const SAMPLES = `
SELECT (SELECT min(id) FROM finding WHERE closed_at IS NULL) AS finding, (SELECT min(id) FROM change) AS change,
  h.name AS host, p.address, t.type_id AS type
FROM host h JOIN pgpu p ON p.host_id = h.id JOIN vgpu_type t ON t.id = p.type_id ORDER BY h.name, p.address LIMIT 1`

const HOUR_SECONDS = 3600

export const openSignedIn = async (world: PreparedWorld): Promise<SignedInConsole> => {
  const console = await world.start({ intervalSeconds: HOUR_SECONDS })
  await console.nextRound()
  const admin = await signIn(console.address, DEMO_ACCOUNTS.admin, { onSystem: true })
  const tenant = await signIn(console.address, DEMO_ACCOUNTS.tenant, { onSystem: false })
  const load = async () => {
    const database = await world.bench.open()
    const [found] = await database.query(SAMPLES, [], samplesSchema)
    await database.close()
    return found
  }
  if ((await load())?.change === null)
    await seedChanges(world, { address: console.address, cookie: admin.cookie })
  const samples = await load()
  if (samples === undefined) throw new Error('The cloud has no GPU with a vGPU type.')
  return {
    console,
    admin: admin.cookie,
    tenant: tenant.cookie,
    samples: { ...samples, flavor: world.cloud.flavor },
  }
}
