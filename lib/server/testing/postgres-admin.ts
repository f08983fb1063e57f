import pg from 'pg'

/** One database on the test server that all test databases are copied from; recreated by each run. */
export const TEST_TEMPLATE_NAME = 'sliceboard_test_template'

export const withDatabaseName = (serverUrl: string, name: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.toString()
}

export const onAdminConnection = async (serverUrl: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
