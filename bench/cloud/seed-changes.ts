import { CLOUD } from '@/e2e/world/clouds-yaml'
import { apiPaths } from '@/lib/util/paths'
import { chooseGpus, typeChangeOf } from './choose-gpus'
import type { PreparedWorld } from './prepare-world'

const GPUS_PER_CHANGE = 2

const planFirst = async (world: PreparedWorld, address: string, cookie: string): Promise<void> => {
  const url = new URL(apiPaths.changes(), address)
  const gpus = (await chooseGpus(world)).slice(0, GPUS_PER_CHANGE)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.origin, cookie },
    body: JSON.stringify({ cloud: CLOUD, kind: 'type', ...typeChangeOf(gpus) }),
  })
  if (!answer.ok) throw new Error(`The change was not planned: ${answer.status} ${await answer.text()}`)
}

// SQL: thousands of copies of one planned change, one in fifty of them still planned.
const COPY_CHANGE = `
INSERT INTO change (cloud_id, kind, title, input, preview, state, last_action, last_by, last_at, made_by, made_at, started_at,
  ended_at, run_by)
SELECT cloud_id, kind, title, input, preview,
  CASE WHEN n % 50 = 0 THEN 'planned' WHEN n % 7 = 0 THEN 'dropped' ELSE 'done' END, last_action, last_by,
  made_at - n * interval '1 hour', made_by, made_at - n * interval '1 hour' - interval '10 minutes',
  CASE WHEN n % 50 <> 0 AND n % 7 <> 0 THEN made_at - n * interval '1 hour' - interval '9 minutes' END,
  CASE WHEN n % 50 <> 0 THEN made_at - n * interval '1 hour' END, made_by
FROM change CROSS JOIN generate_series(1, $1) AS n WHERE id = (SELECT min(id) FROM change)`
const COPY_STEPS = `
INSERT INTO change_step (change_id, position, body, state)
SELECT c.id, s.position, s.body, CASE c.state WHEN 'done' THEN 'done' ELSE 'pending' END
FROM change_step s CROSS JOIN change c WHERE s.change_id = (SELECT min(id) FROM change) AND c.id <> s.change_id`

/** Plans one type change by the API and copies it, so that the list of changes is as long as that of an old cloud. */
export const seedChanges = async (
  world: PreparedWorld,
  { address, cookie }: { address: string; cookie: string },
): Promise<void> => {
  await planFirst(world, address, cookie)
  const database = await world.bench.open()
  await database.query(COPY_CHANGE, [world.size.changes - 1])
  await database.query(COPY_STEPS)
  await database.close()
}
