import 'server-only'
import { resolve } from 'node:path'
import { z } from 'zod'
import { StartError } from '@/lib/server/errors/start-error'
import { isTimeZone } from '@/lib/util/zone-offset'
import { dashboardList, keystoneUrlList, nameList, webhookHostList, webSsoList } from './env-lists'
import { withSecretFiles } from './secret-files'
import { whyNoSecrets } from './secret-list'
import { describeUnknownSettings } from './unknown-settings'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Addresses that only this machine reaches. */
export const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost']

const wholeNumber = ({ min, max }: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)

const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\/\S+$/, 'must be a PostgreSQL address like postgresql://user@host:5432/name')

const envSchema = z.object({
  DATABASE_URL: postgresAddress.optional(),
  SLICEBOARD_REPLICA_URL: postgresAddress.optional(),
  SLICEBOARD_DATA_DIR: z.string().default('./data'),
  SLICEBOARD_HOST: z.string().default('127.0.0.1'),
  SLICEBOARD_PORT: wholeNumber({ min: 0, max: 65_535 }).default(3000),
  SLICEBOARD_CLOUD: z.string().max(128, 'must have at most 128 characters').default('default'),
  SLICEBOARD_REGION: z.string().max(128, 'must have at most 128 characters').optional(),
  SLICEBOARD_REPORT_INTERVAL_SECONDS: wholeNumber({ min: 1, max: 3600 }).default(30),
  SLICEBOARD_SILENT_AFTER_SECONDS: wholeNumber({ min: 2, max: 86_400 }).default(120),
  SLICEBOARD_URL: z
    .string()
    .regex(
      /^https?:\/\/[^/\s?#@]+\/?$/i,
      'must be the address that browsers use, without a path: https://sliceboard.example.org',
    )
    .transform((url) => new URL(url).origin)
    .optional(),
  SLICEBOARD_PROXIES: wholeNumber({ min: 0, max: 9 }).default(0),
  SLICEBOARD_OPENSTACK: z.enum(['auto', 'off'], 'must be auto or off').default('auto'),
  SLICEBOARD_READ_INTERVAL_SECONDS: wholeNumber({ min: 1, max: 3600 }).default(30),
  SLICEBOARD_SIGN_IN: z.enum(['auto', 'off'], 'must be auto or off').default('auto'),
  SLICEBOARD_SECRET: z.string().optional(),
  SLICEBOARD_ADMIN_ROLES: nameList.default(['admin']),
  SLICEBOARD_READER_ROLES: nameList.default([]),
  SLICEBOARD_WEBSSO: webSsoList.default([]),
  SLICEBOARD_WEBSSO_KEYSTONE_URL: keystoneUrlList.default([]),
  SLICEBOARD_SESSION_IDLE_MINUTES: wholeNumber({ min: 1, max: 1440 }).default(60),
  SLICEBOARD_SESSION_HOURS: wholeNumber({ min: 1, max: 168 }).default(12),
  SLICEBOARD_ACCOUNT_REQUESTS_PER_SECOND: wholeNumber({ min: 1, max: 100_000 }).default(100),
  SLICEBOARD_DASHBOARDS: dashboardList.default([]),
  SLICEBOARD_WEBHOOK_HOSTS: webhookHostList.default([]),
  SLICEBOARD_CHANGE_APPROVAL: z
    .enum(['optional', 'always'], 'must be optional or always')
    .default('optional'),
  SLICEBOARD_KEEP_CHANGES_DAYS: wholeNumber({ min: 31, max: 36_500 }).default(800),
  SLICEBOARD_KEEP_HOURS_DAYS: wholeNumber({ min: 2, max: 36_500 }).default(400),
  SLICEBOARD_REVIEW_TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'must be a time zone as IANA names it, like Europe/Paris')
    .default('UTC'),
  SLICEBOARD_SAMPLES_EVERY_SECONDS: wholeNumber({ min: 60, max: 3600 }).default(300),
  SLICEBOARD_KEEP_MINUTES_DAYS: wholeNumber({ min: 2, max: 400 }).default(3),
  SLICEBOARD_KEEP_FIVE_MINUTES_DAYS: wholeNumber({ min: 2, max: 400 }).default(14),
  SLICEBOARD_KEEP_VGPU_HOURS_DAYS: wholeNumber({ min: 2, max: 36_500 }).default(35),
  NODE_ENV: z.string().optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
})

export type Env = {
  /** Null: PGlite in `dataDirectory`. */
  databaseUrl: string | null
  /** A read replica of it, which the history is read from. */
  replicaUrl: string | null
  dataDirectory: string
  host: string
  /** 0 lets the system choose. */
  port: number
  cloud: string
  region: string | null
  reportIntervalSeconds: number
  silentAfterSeconds: number
  /** Where browsers reach the console, without a trailing slash. Null: by the Host header. */
  url: string | null
  /** Proxies in front that each add to X-Forwarded-For. */
  proxies: number
  /** `off`: no cloud is configured, so none is read and there is no sign-in. */
  openstack: 'auto' | 'off'
  /** From the start of one reading round of a cloud to the start of the next. */
  readIntervalSeconds: number
  /** `off`: the local admin on the loopback address, with any configured clouds. */
  signIn: 'auto' | 'off'
  /** Secret. Null: a file in `dataDirectory`. */
  secret: string | null
  adminRoles: string[]
  readerRoles: string[]
  webSso: { label: string; identityProvider: string | null; protocol: string }[]
  /** Keystone's address for browsers; `cloud` null: of every cloud. */
  webSsoKeystoneUrls: { cloud: string | null; url: string }[]
  sessionIdleMinutes: number
  sessionHours: number
  /** How often a Keystone user may ask, all of its sessions and API tokens together. */
  accountRequestsPerSecond: number
  /** Web dashboards that tenants are led to; `cloud` null: of every cloud. */
  dashboards: { cloud: string | null; kind: 'horizon' | 'skyline'; url: string }[]
  /** Hosts inside that admins' webhooks may call; `port` null: any, `isPlain`: also over http. */
  webhookHosts: { host: string; port: string | null; isPlain: boolean }[]
  /** `always`: no change starts without a second person's approval. */
  changeApproval: 'optional' | 'always'
  /** How long the history's changes are kept, and the hourly roll-ups; daily ones are kept permanently. */
  keepChangesDays: number
  keepHoursDays: number
  /** The time zone in which review months begin and end. */
  reviewTimeZone: string
  /** How often agents send their samples of utilization and framebuffer, which they take once a minute. */
  samplesEverySeconds: number
  /** How long samples are kept, their figures of five minutes, and of vGPUs those of hours; of pGPUs as roll-ups by hours. */
  keepMinutesDays: number
  keepFiveMinutesDays: number
  keepVgpuHoursDays: number
  logLevel: LogLevel
  /** Pages are compiled when they are requested, and reload when their source changes. */
  isDevelopment: boolean
}

type Source = Record<string, string | undefined>

/** Names the variable, the value and the rule; one line each. */
export class EnvError extends StartError {
  override name = 'EnvError'
}

const withoutPassword = (value: string): string => value.replace(/(:\/\/[^:@/]*:)[^@]*@/, '$1***@')

const describeIssue = (source: Source, issue: z.core.$ZodIssue): string => {
  const name = String(issue.path[0])
  return `${name} is "${withoutPassword(source[name] ?? '')}", but ${issue.message}.`
}

/** What settings need of each other. */
const whyNotTogether = (present: Source): string[] => {
  const problems: string[] = []
  if (present.SLICEBOARD_REPLICA_URL && !present.DATABASE_URL)
    problems.push(
      'SLICEBOARD_REPLICA_URL is set, but DATABASE_URL is not: set the address of its primary, too.',
    )
  const seconds = envSchema.pick({
    SLICEBOARD_SILENT_AFTER_SECONDS: true,
    SLICEBOARD_REPORT_INTERVAL_SECONDS: true,
  })
  const { data } = seconds.safeParse(present)
  if (data && data.SLICEBOARD_SILENT_AFTER_SECONDS <= data.SLICEBOARD_REPORT_INTERVAL_SECONDS)
    problems.push(
      `SLICEBOARD_SILENT_AFTER_SECONDS is "${data.SLICEBOARD_SILENT_AFTER_SECONDS}", but must be greater than SLICEBOARD_REPORT_INTERVAL_SECONDS (${data.SLICEBOARD_REPORT_INTERVAL_SECONDS}).`,
    )
  return problems
}

/**
 * Throws EnvError with one line for each setting that is wrong. An empty variable counts as absent, as in a compose file that
 * passes on what is not set. `problems`: those that were found before.
 */
export const parseEnv = (source: Source, problems: readonly string[] = []): Env => {
  const present = Object.fromEntries(
    Object.entries(source)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([, value]) => value),
  )
  const parsed = envSchema.safeParse(present)
  const issues = parsed.error?.issues ?? []
  const sentences = issues.map((issue) => describeIssue(source, issue))
  const all = [...problems, ...sentences, ...whyNotTogether(present)]
  if (all.length > 0 || !parsed.success) throw new EnvError(all.join('\n'))
  const values = parsed.data
  return {
    databaseUrl: values.DATABASE_URL ?? null,
    replicaUrl: values.SLICEBOARD_REPLICA_URL ?? null,
    dataDirectory: resolve(values.SLICEBOARD_DATA_DIR),
    host: values.SLICEBOARD_HOST,
    port: values.SLICEBOARD_PORT,
    cloud: values.SLICEBOARD_CLOUD,
    region: values.SLICEBOARD_REGION ?? null,
    reportIntervalSeconds: values.SLICEBOARD_REPORT_INTERVAL_SECONDS,
    silentAfterSeconds: values.SLICEBOARD_SILENT_AFTER_SECONDS,
    url: values.SLICEBOARD_URL ?? null,
    proxies: values.SLICEBOARD_PROXIES,
    openstack: values.SLICEBOARD_OPENSTACK,
    readIntervalSeconds: values.SLICEBOARD_READ_INTERVAL_SECONDS,
    signIn: values.SLICEBOARD_SIGN_IN,
    secret: values.SLICEBOARD_SECRET ?? null,
    adminRoles: values.SLICEBOARD_ADMIN_ROLES,
    readerRoles: values.SLICEBOARD_READER_ROLES,
    webSso: values.SLICEBOARD_WEBSSO,
    webSsoKeystoneUrls: values.SLICEBOARD_WEBSSO_KEYSTONE_URL,
    sessionIdleMinutes: values.SLICEBOARD_SESSION_IDLE_MINUTES,
    sessionHours: values.SLICEBOARD_SESSION_HOURS,
    accountRequestsPerSecond: values.SLICEBOARD_ACCOUNT_REQUESTS_PER_SECOND,
    dashboards: values.SLICEBOARD_DASHBOARDS,
    webhookHosts: values.SLICEBOARD_WEBHOOK_HOSTS,
    changeApproval: values.SLICEBOARD_CHANGE_APPROVAL,
    keepChangesDays: values.SLICEBOARD_KEEP_CHANGES_DAYS,
    keepHoursDays: values.SLICEBOARD_KEEP_HOURS_DAYS,
    reviewTimeZone: values.SLICEBOARD_REVIEW_TIME_ZONE,
    samplesEverySeconds: values.SLICEBOARD_SAMPLES_EVERY_SECONDS,
    keepMinutesDays: values.SLICEBOARD_KEEP_MINUTES_DAYS,
    keepFiveMinutesDays: values.SLICEBOARD_KEEP_FIVE_MINUTES_DAYS,
    keepVgpuHoursDays: values.SLICEBOARD_KEEP_VGPU_HOURS_DAYS,
    logLevel: values.LOG_LEVEL,
    isDevelopment: values.NODE_ENV !== 'production',
  }
}

/** The settings of this process, with secrets from their files. A short secret is refused with all else that is wrong. */
export const readEnv = (): Env => {
  const { source, problems } = withSecretFiles(process.env)
  const secret = source.SLICEBOARD_SECRET?.trim()
  const why = secret ? whyNoSecrets(secret) : null
  return parseEnv(source, why === null ? problems : [...problems, `SLICEBOARD_SECRET ${why}.`])
}

/** One sentence for each SLICEBOARD_ variable that is no setting. */
export const readUnknownSettings = (): string[] =>
  describeUnknownSettings(process.env, Object.keys(envSchema.shape))

/** A file of certificate authorities instead of the system's own, as OpenSSL and curl take it. */
export const readCertificateFile = (): string | null => process.env.SSL_CERT_FILE?.trim() || null

/** Whether npm is the parent process, which does not pass every signal on. */
export const isStartedByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined

/** Where openstacksdk looks for clouds; only lib/openstack/clouds reads it. It holds passwords. */
export const readCloudEnvironment = (): Readonly<Source> => process.env

/** What Next and React read from the environment when they are loaded; no telemetry leaves this machine. */
export const setNextEnvironment = ({ isDevelopment }: { isDevelopment: boolean }): void => {
  Object.assign(process.env, {
    NODE_ENV: isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  })
}

/** Of the test runner only: the PostgreSQL server on which the service tests run instead of PGlite. */
export const readTestDatabaseUrl = (): string | null => process.env.TEST_DATABASE_URL?.trim() || null
