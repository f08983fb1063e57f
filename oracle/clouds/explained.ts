import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import * as z from 'zod'
import type { Explained } from '../harness/compare-function'
import type { CloudsInput } from './generate'
import type { ResolvedClouds } from './resolved'

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
  ['has a host name with an empty part', 'openstacksdk does not use that address, or fails when it does'],
  ['auth_url ends with v2.0', 'Keystone removed version 2.0 in 2018'],
  ['but Keystone knows only "all"', 'openstacksdk ignores an unknown system_scope and sends no scope'],
  ['trust_id is set together with', 'openstacksdk drops system_scope without a message'],
  ['must be public, internal or admin', 'openstacksdk finds no endpoint later'],
  ['holds no private key', 'requests fails when it connects'],
]

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

const keysOf = ({ clouds }: ResolvedClouds): string => Object.keys(clouds).sort().join()

const cloudsSchema = z.object({ clouds: z.record(z.string(), z.record(z.string(), z.unknown())) })
const DOUBLED = /^(domain|(user|project)_domain|project|tenant)_(id|name)$/

/** Whether a project or domain is set both below auth and next to it, under the same name. */
const hasDoubled = ({ files }: CloudsInput): boolean => {
  const { 'clouds.yaml': main = '', ...others } = files
  const { clouds } = cloudsSchema.parse(parse(main, { uniqueKeys: false }))
  return Object.values(clouds).some(({ auth, regions, region_name, 'region-name': dashed, ...top }) => {
    const below = JSON.stringify([auth, regions, region_name, dashed, others]).replaceAll('\\', '')
    return Object.keys(top).some(
      (key) => DOUBLED.test(key.replaceAll('-', '_')) && below.includes(`"${key}":`),
    )
  })
}

export const EXPLAINED: readonly Rule[] = [
  {
    reason:
      'openstacksdk 0.101 prefers a project or domain below auth to one next to it; the console does as openstacksdk 4',
    matches: ({ input, ours, theirs }) => keysOf(ours) === keysOf(theirs) && hasDoubled(input),
  },
  {
    reason:
      "a list of region-name with a dash over a profile's region_name ends openstacksdk up to 4.4 with a TypeError; 4.20 accepts it, and so does the console",
    matches: ({ input, ours, theirs }) =>
      theirs.refusals.includes('TypeError: sequence item 1: expected str instance, list found') &&
      /"region-name": \[/.test(input.files['clouds.yaml'] ?? '') &&
      Object.keys(ours.clouds).length > Object.keys(theirs.clouds).length,
  },
  {
    reason:
      'without auth_type openstacksdk takes a password; the console takes an application credential where the entry has one',
    matches: ({ input }) => {
      const text = input.files['clouds.yaml'] ?? ''
      return !text.includes('"auth_type"') && text.includes('"application_credential_')
    },
  },
  ...STRICTER.map(
    ([text, reason]): Rule => ({
      reason,
      matches: ({ ours, theirs }) =>
        ours.refusals.includes(text) && Object.keys(theirs.clouds).length > Object.keys(ours.clouds).length,
    }),
  ),
  ...LOOSER.map(
    ([text, reason]): Rule => ({
      reason,
      matches: ({ ours, theirs }) =>
        theirs.refusals.includes(text) && Object.keys(ours.clouds).length > Object.keys(theirs.clouds).length,
    }),
  ),
  {
    reason: 'each side refuses a region of the entry that the other accepts, for two of the other reasons',
    matches: ({ ours, theirs }) =>
      STRICTER.some(([text]) => ours.refusals.includes(text)) &&
      LOOSER.some(([text]) => theirs.refusals.includes(text)) &&
      Object.entries(ours.clouds).every(
        ([key, value]) => !Object.hasOwn(theirs.clouds, key) || isDeepStrictEqual(value, theirs.clouds[key]),
      ),
  },
  {
    reason:
      'without a region_name openstacksdk takes the first of several regions; the console requires a name',
    matches: ({ ours, theirs }) =>
      keysOf(ours) === keysOf(theirs) && JSON.stringify(ours.clouds).includes('"SEVERAL"'),
  },
  {
    reason:
      'openstacksdk fills braces of auth_url below auth alone, and not with a dash; the address with braces is none',
    matches: ({ ours, theirs }) =>
      keysOf(ours) === keysOf(theirs) && JSON.stringify(theirs.clouds).includes('%7B'),
  },
  {
    reason:
      "region-name with a dash over a profile's region_name is the region of openstacksdk as a whole text",
    matches: ({ input, ours, theirs }) =>
      /"region-name"/.test(input.files['clouds.yaml'] ?? '') &&
      /"(profile|cloud)": "acme"/.test(input.files['clouds.yaml'] ?? '') &&
      input.files['clouds-public.yaml'] !== undefined &&
      keysOf(ours) === keysOf(theirs),
  },
  {
    reason: 'verify: "false" in quotes is a file name to openstacksdk; the console does not verify and warns',
    matches: ({ input, ours, theirs }) =>
      input.files['clouds.yaml']?.includes('"verify": "false"') === true && keysOf(ours) === keysOf(theirs),
  },
  {
    reason: 'insecure: "yes" in quotes is false to openstacksdk; the console does not verify and warns',
    matches: ({ input, ours, theirs }) =>
      input.files['clouds.yaml']?.includes('"insecure": "yes"') === true && keysOf(ours) === keysOf(theirs),
  },
]
