import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { EnvError, parseEnv } from './env'

test('nothing set gives a console on the loopback address with its data next to it', () => {
  expect(parseEnv({})).toEqual({
    changeApproval: 'optional',
    keepChangesDays: 800,
    keepHoursDays: 400,
    reviewTimeZone: 'UTC',
    samplesEverySeconds: 300,
    keepMinutesDays: 3,
    keepFiveMinutesDays: 14,
    keepVgpuHoursDays: 35,
    webhookHosts: [],
    databaseUrl: null,
    replicaUrl: null,
    dashboards: [],
    dataDirectory: resolve('data'),
    host: '127.0.0.1',
    port: 3000,
    cloud: 'default',
    region: null,
    reportIntervalSeconds: 30,
    silentAfterSeconds: 120,
    url: null,
    proxies: 0,
    openstack: 'auto',
    readIntervalSeconds: 30,
    signIn: 'auto',
    secret: null,
    adminRoles: ['admin'],
    readerRoles: [],
    webSso: [],
    webSsoKeystoneUrls: [],
    sessionIdleMinutes: 60,
    sessionHours: 12,
    accountRequestsPerSecond: 100,
    logLevel: 'info',
    isDevelopment: true,
  })
})

test('everything can be set', () => {
  const env = parseEnv({
    DATABASE_URL: 'postgresql://u:p@db:5432/sliceboard',
    SLICEBOARD_REPLICA_URL: 'postgresql://u:p@standby:5432/sliceboard',
    SLICEBOARD_DATA_DIR: '/var/lib/sliceboard',
    SLICEBOARD_HOST: '::1',
    SLICEBOARD_PORT: '8080',
    SLICEBOARD_CLOUD: 'zürich-1',
    SLICEBOARD_REGION: 'RegionOne',
    SLICEBOARD_REPORT_INTERVAL_SECONDS: '5',
    SLICEBOARD_SILENT_AFTER_SECONDS: '20',
    SLICEBOARD_URL: 'https://GPU.example.org/',
    SLICEBOARD_PROXIES: '1',
    SLICEBOARD_OPENSTACK: 'off',
    SLICEBOARD_READ_INTERVAL_SECONDS: '45',
    SLICEBOARD_SIGN_IN: 'off',
    SLICEBOARD_SECRET: 'x y',
    SLICEBOARD_ADMIN_ROLES: 'admin, gpu_admin',
    SLICEBOARD_READER_ROLES: 'gpu_reader,',
    SLICEBOARD_WEBSSO: 'Company login=keycloak/openid, Any=mapped',
    SLICEBOARD_WEBSSO_KEYSTONE_URL: 'https://keystone.example.org:5000/v3/, rome=http://keystone.rome',
    SLICEBOARD_SESSION_IDLE_MINUTES: '15',
    SLICEBOARD_SESSION_HOURS: '8',
    SLICEBOARD_ACCOUNT_REQUESTS_PER_SECOND: '20',
    LOG_LEVEL: 'debug',
    SLICEBOARD_CHANGE_APPROVAL: 'always',
    SLICEBOARD_KEEP_CHANGES_DAYS: '100',
    SLICEBOARD_KEEP_HOURS_DAYS: '50',
    SLICEBOARD_REVIEW_TIME_ZONE: 'Europe/Paris',
    SLICEBOARD_SAMPLES_EVERY_SECONDS: '60',
    SLICEBOARD_KEEP_MINUTES_DAYS: '2',
    SLICEBOARD_KEEP_FIVE_MINUTES_DAYS: '21',
    SLICEBOARD_KEEP_VGPU_HOURS_DAYS: '90',
    SLICEBOARD_WEBHOOK_HOSTS: 'Chat.corp.example, 10.0.0.7:8443, http://[::1]:9000',
    NODE_ENV: 'production',
  })
  expect(env).toEqual({
    changeApproval: 'always',
    keepChangesDays: 100,
    keepHoursDays: 50,
    reviewTimeZone: 'Europe/Paris',
    samplesEverySeconds: 60,
    keepMinutesDays: 2,
    keepFiveMinutesDays: 21,
    keepVgpuHoursDays: 90,
    webhookHosts: [
      { host: 'chat.corp.example', port: null, isPlain: false },
      { host: '10.0.0.7', port: '8443', isPlain: false },
      { host: '::1', port: '9000', isPlain: true },
    ],
    databaseUrl: 'postgresql://u:p@db:5432/sliceboard',
    replicaUrl: 'postgresql://u:p@standby:5432/sliceboard',
    dashboards: [],
    dataDirectory: '/var/lib/sliceboard',
    host: '::1',
    port: 8080,
    cloud: 'zürich-1',
    region: 'RegionOne',
    reportIntervalSeconds: 5,
    silentAfterSeconds: 20,
    url: 'https://gpu.example.org',
    proxies: 1,
    openstack: 'off',
    readIntervalSeconds: 45,
    signIn: 'off',
    secret: 'x y',
    adminRoles: ['admin', 'gpu_admin'],
    readerRoles: ['gpu_reader'],
    webSso: [
      { label: 'Company login', identityProvider: 'keycloak', protocol: 'openid' },
      { label: 'Any', identityProvider: null, protocol: 'mapped' },
    ],
    webSsoKeystoneUrls: [
      { cloud: null, url: 'https://keystone.example.org:5000/v3' },
      { cloud: 'rome', url: 'http://keystone.rome' },
    ],
    sessionIdleMinutes: 15,
    sessionHours: 8,
    accountRequestsPerSecond: 20,
    logLevel: 'debug',
    isDevelopment: false,
  })
})

test('an empty variable counts as not set', () => {
  expect(parseEnv({ SLICEBOARD_PORT: '', DATABASE_URL: '  ' })).toMatchObject({
    port: 3000,
    databaseUrl: null,
  })
})

test.each([
  [{ SLICEBOARD_PORT: '65536' }, 'SLICEBOARD_PORT is "65536", but must be a whole number from 0 to 65535.'],
  [{ SLICEBOARD_PORT: '80x' }, 'SLICEBOARD_PORT is "80x", but must be a whole number from 0 to 65535.'],
  [{ SLICEBOARD_PORT: '-1' }, 'SLICEBOARD_PORT is "-1", but must be a whole number from 0 to 65535.'],
  [
    { SLICEBOARD_URL: 'https://example.org/gpus' },
    'SLICEBOARD_URL is "https://example.org/gpus", but must be the address that browsers use, without a path: https://sliceboard.example.org.',
  ],
  [
    { SLICEBOARD_WEBSSO: 'keycloak/openid' },
    'SLICEBOARD_WEBSSO is "keycloak/openid", but must be entries like "Company login=keycloak/openid" or "Company login=openid", separated by commas.',
  ],
  [
    { DATABASE_URL: 'mysql://root:secret@db/x' },
    'DATABASE_URL is "mysql://root:***@db/x", but must be a PostgreSQL address like postgresql://user@host:5432/name.',
  ],
  [
    { SLICEBOARD_REPLICA_URL: 'postgresql://standby/x' },
    'SLICEBOARD_REPLICA_URL is set, but DATABASE_URL is not: set the address of its primary, too.',
  ],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL is "loud", but must be one of fatal, error, warn, info, debug, trace, silent.',
  ],
  [
    { SLICEBOARD_REPORT_INTERVAL_SECONDS: '60', SLICEBOARD_SILENT_AFTER_SECONDS: '60' },
    'SLICEBOARD_SILENT_AFTER_SECONDS is "60", but must be greater than SLICEBOARD_REPORT_INTERVAL_SECONDS (60).',
  ],
])('%j is refused with its reason', (source, message) => {
  expect(() => parseEnv(source)).toThrow(new EnvError(message))
})

test('each fault has its own line', () => {
  expect(() => parseEnv({ SLICEBOARD_PORT: 'x', LOG_LEVEL: 'x' })).toThrow(/^SLICEBOARD_PORT.*\nLOG_LEVEL.*$/)
})

test('everything that is wrong is reported at once, one line each', () => {
  const source = {
    SLICEBOARD_PORT: 'http',
    LOG_LEVEL: 'loud',
    SLICEBOARD_REPLICA_URL: 'postgresql://standby/sliceboard',
    SLICEBOARD_SILENT_AFTER_SECONDS: '30',
  }
  const refused = () => parseEnv(source, ['SLICEBOARD_SECRET_FILE is missing.'])
  expect(refused).toThrow(
    /^SLICEBOARD_SECRET_FILE is missing\.\nSLICEBOARD_PORT is "http".*\nLOG_LEVEL is "loud".*\nSLICEBOARD_REPLICA_URL is set.*\nSLICEBOARD_SILENT_AFTER_SECONDS is "30"/,
  )
})
