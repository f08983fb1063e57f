/** A microversion as numbers, so that 2.100 is newer than 2.96. */
export type Microversion = { major: number; minor: number }

export const parseMicroversion = (text: string): Microversion | null => {
  const found = /^([1-9]\d*)\.([1-9]\d*|0)$/.exec(text)
  return found === null ? null : { major: Number(found[1]), minor: Number(found[2]) }
}

export const microversionText = ({ major, minor }: Microversion): string => `${major}.${minor}`

/** Whether `version` is `text` or newer. */
export const isSince = (version: Microversion, text: string): boolean => {
  const other = parseMicroversion(text)
  if (other === null) throw new Error(`"${text}" is no microversion`)
  return version.major === other.major ? version.minor >= other.minor : version.major > other.major
}

/**
 * What `OpenStack-API-Version` asks of a service: `compute 2.96`, `latest`, several services separated by commas.
 * Null: the service is not named.
 */
export const wantedVersion = (header: string | null, service: string): string | null => {
  for (const part of (header ?? '').split(',')) {
    const [name, version] = part.trim().split(/\s+/)
    if (name?.toLowerCase() === service && version !== undefined) return version
  }
  return null
}
