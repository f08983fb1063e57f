import type { Entry } from './entry'
import { isAbsent, normalizeKeys } from './resolve-settings'
import { type CloudProblem, isMap, type YamlMap, type YamlValue } from './yaml-source'

/** One region of an entry and the values that it alone has. Null: the entry names no region. */
export type EntryRegion = { region: string | null; values: YamlMap }

type Refuse = (key: string, message: string) => void

const toRegion = (item: YamlValue, refuse: Refuse): EntryRegion[] => {
  if (typeof item === 'string') return [{ region: isAbsent(item) ? null : item, values: {} }]
  const isSound = isMap(item) && Object.keys(item).every((key) => key === 'name' || key === 'values')
  if (isSound && typeof item.name === 'string')
    return [{ region: item.name, values: isMap(item.values) ? item.values : {} }]
  refuse('regions', 'each of regions must be a name, or a map of name and values alone.')
  return []
}

/** `regions` before `region_name`, which may be a list or have commas. Null: neither is there. */
const regionsOf = (values: YamlMap, refuse: Refuse): EntryRegion[] | null => {
  const { regions, region_name: name } = normalizeKeys(values)
  if (regions !== undefined && !isAbsent(regions)) {
    if (Array.isArray(regions)) return regions.flatMap((item: YamlValue) => toRegion(item, refuse))
    refuse('regions', 'regions must be a list.')
    return []
  }
  if (name === undefined || isAbsent(name)) return null
  if (Array.isArray(name)) return name.flatMap((item: YamlValue) => toRegion(item, refuse))
  if (typeof name === 'string') return name.split(',').flatMap((part) => toRegion(part.trim(), refuse))
  refuse('region_name', 'region_name must be a name or a list of names.')
  return []
}

/** Of entries with one name the first counts (openstacksdk's loader.py, _get_region). */
const firstOfName = (regions: readonly EntryRegion[]): EntryRegion[] =>
  regions.filter(({ region }, index) => regions.findIndex((other) => other.region === region) === index)

/** As openstacksdk's loader.py (_get_known_regions): of the entry itself, else of its profile, else one without a name. */
export const splitRegions = (entry: Entry): { regions: EntryRegion[]; problems: CloudProblem[] } => {
  const problems: CloudProblem[] = []
  const refuse: Refuse = (key, message) => {
    problems.push({ ...entry.locate([key]), message: `Cloud "${entry.cloud}": ${message}` })
  }
  const regions = regionsOf(entry.own, refuse) ?? regionsOf(entry.profile, refuse) ?? []
  const isUnnamed = regions.length === 0 && problems.length === 0
  return { regions: isUnnamed ? [{ region: null, values: {} }] : firstOfName(regions), problems }
}
