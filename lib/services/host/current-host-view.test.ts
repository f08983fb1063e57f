import { expect, test } from 'vitest'
import { anyRow } from '@/lib/server/testing/any-row'
import { createServiceWorld } from '@/lib/services/testing/service-world'

const world = createServiceWorld()

const columnsOf = async (table: string): Promise<string[]> => {
  const rows = await world
    .database()
    .query(
      'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1',
      [table],
      anyRow<{ name: string }>(),
    )
  return rows.map(({ name }) => name).toSorted()
}

test('the view of current hosts has every column of the table', async () => {
  const columns = await columnsOf('host')
  expect(columns).toContain('removed_at')
  expect(await columnsOf('current_host')).toEqual(columns)
})
