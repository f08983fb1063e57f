import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import * as z from 'zod'
import type { Explained } from '../harness/compare-function'
import type { Versions } from '../harness/open-oracle'
import type { CloudsInput } from './generate'
import type { Resolved, ResolvedClouds } from './resolved'

type Rule = Explained<CloudsInput, ResolvedClouds>

/** Ours refuses with one of these texts what theirs accepts. */
const STRICTER: readonly (readonly [text: string, reason: string])[] = [
  [
    'neither a project nor system_scope',
    'Nova and Placement need a project-scoped token, so one is required at the start',
  ],
  ['auth scopes to a domain', 'Nova and Placement refuse a token of a domain'],
  ['auth names no user', 'openstacksdk sends a request that Keystone must refuse'],
  ['auth has no password', 'openstacksdk sends a request that Keystone must refuse'],
  ['auth needs application_credential_id', 'openstacksdk sends a request that Keystone must refuse'],
  ['auth has no application_credential_secret', 'openstacksdk sends a request that Keystone must refuse'],
  ['has a host name with an empty part', 'openstacksdk does not use that address, or fails when it does'],
  ['auth_url ends with v2.0', 'Keystone removed version 2.0 in 2018'],
  ['but Keystone knows only "all"', 'openstacksdk ignores an unknown system_scope and sends no scope'],
  ['trust_id is set together with', 'openstacksdk drops system_scope without a message'],
  ['must be public, internal or admin', 'openstacksdk finds no endpoint later'],
  ['holds no private key', 'requests fails when it connects'],
]

const WITHOUT_TYPE =
  'without auth_type openstacksdk takes a password; the console takes an application credential where the entry has one'

/** Theirs refuses with one of these texts what ours accepts. */
const LOOSER: readonly (readonly [text: string, reason: string])[] = [
  [
    'unexpected keyword argument',
    'a key that the auth plugin does not know ends openstacksdk with a TypeError; the console names it in its log and continues',
  ],
  [
    'multiple targets. Pick one of: project, domain, trust, system or unscoped',
    'keystoneauth 5.10 refuses system_scope together with a project; the console uses one token for each',
  ],
  ['You have provided a', 'the domain default is assumed, as the OpenStack command line does'],
]

/** Fields of a cloud that may differ for a reason; all other fields must be equal. */
type Part = {
  reason: string
  isIn: (input: CloudsInput, versions: Versions) => boolean
  fields: (pair: { ours: Resolved; theirs: Resolved }) => readonly Field[]
}
type Field = keyof Resolved | keyof Resolved['endpoints'] | 'identity' | 'scope'

const bodySchema = z.object({ auth: z.looseObject({}) })

/** With the fields of the token request and of the endpoints in one object. */
const flat = ({ body, endpoints, ...cloud }: Resolved): Readonly<Record<string, unknown>> => ({
  ...cloud,
  ...endpoints,
  ...bodySchema.parse(body).auth,
})

const isSame = (ours: Resolved, theirs: Resolved, parts: readonly Part[]): boolean => {
  const ignored: readonly string[] = parts.flatMap(({ fields }) => fields({ ours, theirs }))
  const [a, b] = [flat(ours), flat(theirs)]
  return Object.keys({ ...a, ...b }).every(
    (key) => ignored.includes(key) || isDeepStrictEqual(a[key], b[key]),
  )
}

/** Whether the clouds that both sides have are equal. */
const areSharedEqual = (ours: ResolvedClouds, theirs: ResolvedClouds, parts: readonly Part[]): boolean =>
  Object.entries(ours.clouds).every(([key, cloud]) => {
    const other = theirs.clouds[key]
    if (other === undefined) return true
    return !('refused' in cloud) && !('refused' in other) && isSame(cloud, other, parts)
  })

const mainFile = ({ files }: CloudsInput): string => files['clouds.yaml'] ?? ''

const entriesSchema = z.record(z.string(), z.record(z.string(), z.unknown()))
const cloudsSchema = z.object({ clouds: entriesSchema })
const profilesSchema = z.object({ 'public-clouds': entriesSchema })
const DOUBLED = /^(domain|(user|project)_domain|project|tenant)_(id|name)$/

const profilesOf = ({ files }: CloudsInput) => {
  const text = files['clouds-public.yaml']
  return text === undefined ? {} : profilesSchema.parse(parse(text))['public-clouds']
}

/** Whether a project or domain is set both below auth and next to it, under the same name. */
const hasDoubled = (input: CloudsInput): boolean => {
  const { clouds } = cloudsSchema.parse(parse(mainFile(input), { uniqueKeys: false }))
  const profiles = profilesOf(input)
  return Object.values(clouds).some(({ auth, regions, region_name, 'region-name': dashed, ...top }) => {
    const named = [top.profile, top.cloud].map((name) => profiles[String(name)])
    const below = JSON.stringify([auth, regions, region_name, dashed, named])
    return Object.keys(top).some(
      (key) => DOUBLED.test(key.replaceAll('-', '_')) && below.includes(`"${key}":`),
    )
  })
}

const isWithoutType = (input: CloudsInput): boolean =>
  !mainFile(input).includes('"auth_type"') && mainFile(input).includes('"application_credential_')

const SERVICES = ['nova', 'placement'] as const

const PARTS: readonly Part[] = [
  {
    reason:
      'openstacksdk 0.101 prefers a project or domain below auth to one next to it; the console does as openstacksdk 4',
    isIn: (input, { openstacksdk }) => Number.parseInt(openstacksdk ?? '', 10) < 1 && hasDoubled(input),
    fields: () => ['identity', 'scope'],
  },
  {
    reason: WITHOUT_TYPE,
    isIn: isWithoutType,
    // A request with an application credential has no scope.
    fields: ({ ours }) => ('scope' in flat(ours) ? ['identity'] : ['identity', 'scope']),
  },
  {
    reason:
      'without a region_name openstacksdk takes the first of several regions; the console requires a name',
    isIn: () => true,
    fields: ({ ours }) => SERVICES.filter((service) => ours.endpoints[service] === 'SEVERAL'),
  },
  {
    reason:
      'openstacksdk fills braces of auth_url below auth alone, and not with a dash; the address with braces is none',
    isIn: () => true,
    fields: ({ theirs }) => (theirs.url.includes('%7B') ? ['url'] : []),
  },
  {
    reason:
      "region-name with a dash over a profile's region_name is the region of openstacksdk as a whole text",
    isIn: (input) =>
      mainFile(input).includes('"region-name"') &&
      /"(profile|cloud)": "acme"/.test(mainFile(input)) &&
      input.files['clouds-public.yaml'] !== undefined,
    fields: () => ['nova', 'placement'],
  },
  {
    reason: 'verify: "false" in quotes is a file name to openstacksdk; the console does not verify and warns',
    isIn: (input) => mainFile(input).includes('"verify": "false"'),
    fields: () => ['verify', 'caFile'],
  },
  {
    reason: 'insecure: "yes" in quotes is false to openstacksdk; the console does not verify and warns',
    isIn: (input) => mainFile(input).includes('"insecure": "yes"'),
    fields: () => ['verify', 'caFile'],
  },
]

const keysOf = ({ clouds }: ResolvedClouds): string => Object.keys(clouds).sort().join()
const countOf = ({ clouds }: ResolvedClouds): number => Object.keys(clouds).length

/** `versions` are those of OpenStack's packages. */
export const createCloudsRules = (versions: Versions): Rule[] => {
  const partsOf = (input: CloudsInput, parts: readonly Part[] = PARTS): Part[] =>
    parts.filter(({ isIn }) => isIn(input, versions))
  const createRule = (reason: string, matches: Rule['matches']): Rule => ({
    reason,
    matches: (found) => matches(found) && areSharedEqual(found.ours, found.theirs, partsOf(found.input)),
  })
  return [
    // The last part that is needed is the reason.
    ...PARTS.map(
      ({ reason }, index): Rule => ({
        reason,
        matches: ({ input, ours, theirs }) =>
          keysOf(ours) === keysOf(theirs) &&
          areSharedEqual(ours, theirs, partsOf(input, PARTS.slice(0, index + 1))),
      }),
    ),
    createRule(
      "a list of region-name with a dash over a profile's region_name ends openstacksdk up to 4.4 with a TypeError; 4.20 accepts it, and so does the console",
      ({ input, ours, theirs }) =>
        theirs.refusals.includes('TypeError: sequence item 1: expected str instance, list found') &&
        /"region-name": \[/.test(mainFile(input)) &&
        countOf(ours) > countOf(theirs),
    ),
    createRule(
      WITHOUT_TYPE,
      ({ input, ours, theirs }) =>
        isWithoutType(input) &&
        /keyword argument 'application_credential_|password is a required attribute/.test(theirs.refusals) &&
        countOf(ours) > countOf(theirs),
    ),
    ...STRICTER.map(([text, reason]) =>
      createRule(
        reason,
        ({ ours, theirs }) => ours.refusals.includes(text) && countOf(theirs) > countOf(ours),
      ),
    ),
    ...LOOSER.map(([text, reason]) =>
      createRule(
        reason,
        ({ ours, theirs }) => theirs.refusals.includes(text) && countOf(ours) > countOf(theirs),
      ),
    ),
    createRule(
      'each side refuses a region of the entry that the other accepts, for two of the other reasons',
      ({ ours, theirs }) =>
        STRICTER.some(([text]) => ours.refusals.includes(text)) &&
        LOOSER.some(([text]) => theirs.refusals.includes(text)),
    ),
  ]
}
