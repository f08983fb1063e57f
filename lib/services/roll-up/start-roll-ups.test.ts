import { expect, test, vi } from 'vitest'
import { anyRow } from '@/lib/server/testing/any-row'
import { createTestRuntime } from '@/lib/server/testing/test-runtime'
import { writeHistoryWorld } from '@/lib/services/history/testing/history-world'
import { createServiceWorld, NOW } from '@/lib/services/testing/service-world'
import { startRollUps } from './start-roll-ups'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 90_000 })

test('it makes the months, rolls up until where hosts have been seen, and gives its lease back', async () => {
  const database = world.database()
  const { cloudId, append } = await writeHistoryWorld(database, await world.newCloud())
  await append(NOW)
  const runtime = createTestRuntime({ database, now: () => NOW })
  await startRollUps(runtime)
  const until = async () =>
    (
      await database.query(
        'SELECT until FROM roll_up WHERE cloud_id = $1',
        [cloudId],
        anyRow<{ until: Date }>(),
      )
    )[0]?.until
  await vi.waitFor(async () => expect(await until()).toEqual(new Date(NOW.getTime() - 120_000)), 60_000)
  await runtime.stop()
  expect(await database.query(`SELECT name FROM lease WHERE name = 'roll up the history'`)).toEqual([])
  expect(await database.query(`SELECT to_regclass('pgpu_change_2027_01') IS NULL AS "isMissing"`)).toEqual([
    { isMissing: false },
  ])
})
