import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CloudConfig, EndpointInterface } from './cloud-config'
import { createEntryReader, type Entry, type EntryReader } from './entry'
import { readAuth } from './read-auth'
import { type CloudProblem, isMap, mergeMaps, type YamlMap } from './yaml-source'

export type CloudDefaults = { timeoutMs: number; requestsPerSecond: number }

type ReadCloudInput = {
  entry: Entry
  defaults: CloudDefaults
  homeDirectory: string
  workingDirectory: string
}

const readUrl = (reader: EntryReader, path: string): string | null => {
  const text = reader.text(path)
  if (text === null) return null
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    reader.refuse(path, `${path} must be an address that begins with http:// or https://.`)
    return null
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') {
    reader.refuse(path, `${path} must not hold a user or a password.`)
    return null
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

const readAuthUrl = (reader: EntryReader): string | null => {
  const url = readUrl(reader, 'auth.auth_url')
  if (url === null) {
    if (reader.problems.length === 0) reader.refuse('auth', 'auth has no auth_url, the address of Keystone.')
    return null
  }
  if (!/\/v2(\.0)?$/.test(url)) return url
  reader.refuse(
    'auth.auth_url',
    'auth_url ends with v2.0, but only Keystone v3 is supported; end it with /v3.',
  )
  return null
}

const readInterface = (reader: EntryReader): EndpointInterface => {
  const text = (reader.text('interface', 'endpoint_type') ?? 'public').replace(/URL$/, '')
  if (text === 'public' || text === 'internal' || text === 'admin') return text
  reader.refuse('interface', `interface is "${text}", but it must be public, internal or admin.`)
  return 'public'
}

const readVerify = (reader: EntryReader): boolean => {
  const verify = reader.boolean('verify')
  if (verify !== null) return verify
  return reader.boolean('insecure') !== true
}

const readTimeoutMs = (reader: EntryReader, defaults: CloudDefaults): number => {
  const text = reader.text('api_timeout')
  if (text === null) return defaults.timeoutMs
  const seconds = Number(text)
  if (seconds >= 0.1 && seconds <= 600) return seconds * 1000
  reader.refuse('api_timeout', `api_timeout is "${text}", but it must be seconds from 0.1 to 600.`)
  return defaults.timeoutMs
}

const readAuthorities = async (reader: EntryReader, input: ReadCloudInput) => {
  const text = reader.text('cacert')
  if (text === null) return { caFile: null, caPem: null }
  const caFile = resolve(input.workingDirectory, text.replace(/^~(?=\/)/, input.homeDirectory))
  try {
    const caPem = await readFile(caFile, 'utf8')
    if (caPem.includes('-----BEGIN CERTIFICATE-----')) return { caFile, caPem }
    reader.refuse('cacert', `cacert names ${caFile}, which holds no PEM certificate.`)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    reader.refuse('cacert', `cacert names ${caFile}, which can't be read (${code}).`)
  }
  return { caFile, caPem: null }
}

const readOverrides = (reader: EntryReader): CloudConfig['endpointOverrides'] => {
  const nova = readUrl(reader, 'compute_endpoint_override')
  const placement = readUrl(reader, 'placement_endpoint_override')
  const keystone = readUrl(reader, 'identity_endpoint_override')
  return {
    ...(nova === null ? {} : { nova }),
    ...(placement === null ? {} : { placement }),
    ...(keystone === null ? {} : { keystone }),
  }
}

/** Entries by region: `regions` may give each its own values. An empty list means one unnamed region (loader.py: _get_regions). */
const splitRegions = (reader: EntryReader): { region: string | null; values: YamlMap }[] => {
  const { values } = reader.entry
  const region = reader.text('region_name')
  const regions = reader.list('regions')
  if (region !== null || regions === null || regions.length === 0) return [{ region, values }]
  return regions.flatMap((item) => {
    if (typeof item === 'string') return [{ region: item, values }]
    if (isMap(item) && typeof item.name === 'string') {
      const own = item.values
      return [{ region: item.name, values: isMap(own) ? mergeMaps(values, own) : values }]
    }
    reader.refuse('regions', 'each of regions must be a name, or a map with name and values.')
    return []
  })
}

const readRegion = async (input: ReadCloudInput, region: string | null, values: YamlMap) => {
  const reader = createEntryReader({ ...input.entry, values })
  const authUrl = readAuthUrl(reader)
  const auth = readAuth(reader)
  const rest = {
    interface: readInterface(reader),
    verify: readVerify(reader),
    ...(await readAuthorities(reader, input)),
    endpointOverrides: readOverrides(reader),
    timeoutMs: readTimeoutMs(reader, input.defaults),
    requestsPerSecond: input.defaults.requestsPerSecond,
  }
  const isSound = authUrl !== null && auth !== null && reader.problems.length === 0
  const clouds: CloudConfig[] = isSound ? [{ name: input.entry.cloud, region, authUrl, auth, ...rest }] : []
  return { clouds, problems: reader.problems }
}

/** An entry with a problem makes no cloud: half a configuration would ask the wrong place, or unverified. */
export const readCloud = async (
  input: ReadCloudInput,
): Promise<{ clouds: CloudConfig[]; problems: CloudProblem[] }> => {
  const reader = createEntryReader(input.entry)
  const clouds: CloudConfig[] = []
  const seen = new Map<string, CloudProblem>()
  for (const { region, values } of splitRegions(reader)) {
    const read = await readRegion(input, region, values)
    clouds.push(...read.clouds)
    for (const problem of read.problems) seen.set(problem.message, problem)
  }
  return { clouds, problems: [...reader.problems, ...seen.values()] }
}
