import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Flags for a browser that may run as root on a machine without a network. */
export const BROWSER_FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** The system's Chromium, else Playwright's own; null when neither is there. */
export const findBrowser = (): string | null => {
  const candidates = [process.env.CHROMIUM_PATH ?? '', ...SYSTEM_BROWSERS, chromium.executablePath()]
  return candidates.find((candidate) => candidate !== '' && existsSync(candidate)) ?? null
}

/** Finds a browser for the tests; as root on Debian installs its package. Throws one sentence that says what to do. */
export const ensureBrowser = (): string => {
  const found = findBrowser()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write("No Chromium found: installing Debian's package.\n")
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['update', '-q'], { env, stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], {
      env,
      stdio: 'ignore',
    })
    const installed = findBrowser()
    if (installed) return installed
  }
  throw new Error(
    'No browser for the browser tests: install Chromium with "sudo apt-get install chromium" or "npx playwright install chromium", or set CHROMIUM_PATH.',
  )
}
