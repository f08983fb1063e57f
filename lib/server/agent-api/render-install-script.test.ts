import { expect, test } from 'vitest'
import { renderInstallScript } from './render-install-script'

const GOOD = {
  template:
    "SERVER_URL='@@SERVER_URL@@'\nSUM='@@AGENT_SHA256@@'\nVERSION='@@AGENT_VERSION@@'\n@@SERVICE_UNIT@@\n",
  unit: '[Service]\nExecStart=/bin/true\n',
  serverUrl: 'https://console.example:8443/',
  agentSha256: 'a'.repeat(64),
  agentVersion: '1.2.3-rc.1+4',
}

test('addresses, checksums and versions are within quotes', () => {
  expect(renderInstallScript(GOOD)).toBe(
    `SERVER_URL='https://console.example:8443'\nSUM='${'a'.repeat(64)}'\nVERSION='1.2.3-rc.1+4'\n[Service]\nExecStart=/bin/true\n`,
  )
})

/** Each of them would run as root, on every host that fetches the script. */
const HOSTILE = ["'; id; '", '$(id)', '`id`', '"', '\\', '\n', ' ', ';', '&', '|', '\u2019', '\0']

test.each(HOSTILE)('%j comes into the script by no value', (text) => {
  for (const serverUrl of [
    `https://console.example${text}`,
    `https://${text}`,
    `${text}https://console.example`,
  ])
    expect(() => renderInstallScript({ ...GOOD, serverUrl })).toThrow('no address has')
  for (const agentSha256 of [`${'a'.repeat(64)}${text}`, `${'a'.repeat(63)}${text}`])
    expect(() => renderInstallScript({ ...GOOD, agentSha256 })).toThrow('64 hex')
  expect(() => renderInstallScript({ ...GOOD, agentVersion: `1.2.3${text}` })).toThrow('not a version')
})

test.each(['ftp://console.example', 'console.example', '', 'https://'])('%j is no address', (serverUrl) => {
  expect(() => renderInstallScript({ ...GOOD, serverUrl })).toThrow('no address has')
})

test('a placeholder without a value is an error, also with names that every object has', () => {
  for (const placeholder of ['@@OTHER@@', '@@CONSTRUCTOR@@'])
    expect(() => renderInstallScript({ ...GOOD, template: placeholder })).toThrow(
      `unknown place ${placeholder}`,
    )
})
