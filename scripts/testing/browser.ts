import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Chromium without what draws windows: a page in it takes a good deal less of the processor. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
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

/** What the browser is for: tests take Debian's headless shell where it is; pictures and times are those of a whole Chromium. */
type Use = { isForTests?: boolean }

/** Where a browser may be, the wanted one first. `given`: CHROMIUM_PATH, which goes before all. */
export const browserPaths = ({
  given,
  playwrights,
  isForTests = false,
}: Use & { given: string; playwrights: string }): string[] =>
  [given, ...(isForTests ? [HEADLESS_SHELL] : []), ...SYSTEM_BROWSERS, playwrights].filter(
    (path) => path !== '',
  )

/** The system's Chromium, else Playwright's own; null when neither is there. */
export const findBrowser = (use: Use = {}): string | null =>
  browserPaths({
    ...use,
    given: process.env.CHROMIUM_PATH ?? '',
    playwrights: chromium.executablePath(),
  }).find((path) => existsSync(path)) ?? null

/** Finds a browser; as root on Debian installs its package. Throws one sentence with the next step. */
export const ensureBrowser = ({ isForTests = false }: Use = {}): string => {
  const found = findBrowser({ isForTests })
  if (found) return found
  const name = isForTests ? 'chromium-headless-shell' : 'chromium'
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write(`No Chromium found: installing Debian's package ${name}.\n`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['update', '-q'], { env, stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], {
      env,
      stdio: 'ignore',
    })
    const installed = findBrowser({ isForTests })
    if (installed) return installed
  }
  throw new Error(
    `No browser: install Chromium with "sudo apt-get install ${name}" or "npx playwright install chromium", or set CHROMIUM_PATH.`,
  )
}
