import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { anyRow } from '@/lib/server/testing/any-row'
import { type Database, openDatabase } from '../database/database'
import { keepUpDatabase } from './database-upkeep'

const opened: { database: Database; dataDirectory: string }[] = []

afterEach(async () => {
  for (const { database, dataDirectory } of opened.splice(0)) {
    await database.close()
    await rm(dataDirectory, { recursive: true, force: true })
  }
})

const openInFolder = async () => {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'sliceboard-upkeep-'))
  const database = await openDatabase({ databaseUrl: null, dataDirectory })
  opened.push({ database, dataDirectory })
  return { database, dataDirectory }
}

test('the space of dead rows is reused, so a table that is only updated keeps its size', async () => {
  const { database } = await openInFolder()
  const { query } = database
  const size = async () =>
    Number((await query(`SELECT pg_relation_size('lease') AS size`, [], anyRow<{ size: string }>()))[0]?.size)
  const update = () => query(`UPDATE lease SET until = until + interval '1 second', holder = holder || 'x'`)
  await query(
    `INSERT INTO lease (name, holder, until) SELECT 'lease ' || n, repeat('h', 200), now() FROM generate_series(1, 2000) AS n`,
  )
  await update()
  await keepUpDatabase(query)
  const once = await size()
  for (let turn = 0; turn < 4; turn += 1) {
    await update()
    await keepUpDatabase(query)
  }
  expect(await size()).toBeLessThan(once * 1.5)
})

test('the log of writes is used again instead of growing', async () => {
  const { database, dataDirectory } = await openInFolder()
  const { query } = database
  const logFiles = async () => {
    const names = await readdir(dataDirectory, { recursive: true })
    return names.filter((name) => /pg_wal\/[0-9A-F]{24}$/.test(name)).length
  }
  for (let turn = 0; turn < 8; turn += 1) {
    await query(`SELECT pg_logical_emit_message(true, 'filler', repeat('x', 15000000))`)
    await keepUpDatabase(query)
  }
  expect(await logFiles()).toBeLessThan(7)
}, 60_000)
