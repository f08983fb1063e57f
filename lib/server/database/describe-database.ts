import 'server-only'

/** The address of a PostgreSQL database without user and password. */
export const describeAddress = (databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  return `${url.host}${url.pathname}`
}

/** Which database a console uses, for the operator: its address, or the data folder of PGlite. */
export const describeDatabase = ({
  databaseUrl,
  dataDirectory,
}: {
  databaseUrl: string | null
  dataDirectory: string
}): string => (databaseUrl === null ? `in ${dataDirectory}` : describeAddress(databaseUrl))
