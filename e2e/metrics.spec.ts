import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse, stringify } from 'yaml'
import { apiToken, type CloudWorld } from './world/cloud'
import { inReportedCloud } from './world/reported-cloud'
import { expect, test } from './world/test'

const MONITORING = path.resolve('docs/monitoring')
const SOON = { timeout: 60_000 }

type ScrapeConfig = { authorization: { credentials_file: string }; static_configs: { targets: string[] }[] }
type Config = { global: object; rule_files: string[]; scrape_configs: [ScrapeConfig & { scheme: string }] }

/** The documented configuration with this console in the place of the example. */
const configFor = ({ url }: CloudWorld, folder: string): Config => {
  const config = parse(readFileSync(path.join(MONITORING, 'prometheus.yaml'), 'utf8')) as Config
  const [scrape] = config.scrape_configs
  return {
    ...config,
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [path.join(MONITORING, 'sliceboard-alerts.yaml')],
    scrape_configs: [
      {
        ...scrape,
        scheme: 'http',
        authorization: { ...scrape.authorization, credentials_file: path.join(folder, 'token') },
        static_configs: [{ targets: [new URL(url).host] }],
      },
    ],
  }
}

/** Where it listens, as it prints. */
const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const address = /msg="Listening on" address=(\S+)/.exec(output)?.[1]
      if (address !== undefined) resolve(`http://${address}`)
    })
    child.on('close', () => reject(new Error(`Prometheus ended:\n${output}`)))
    child.on('error', reject)
  })

const withPrometheus = async (
  { config, folder }: { config: string; folder: string },
  work: (url: string) => Promise<void>,
): Promise<void> => {
  const flags = [`--config.file=${config}`, `--storage.tsdb.path=${path.join(folder, 'samples')}`]
  const child = spawn('prometheus', [...flags, '--web.listen-address=127.0.0.1:0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  try {
    const url = await addressOf(child)
    await expect.poll(async () => (await fetch(`${url}/-/ready`)).status, SOON).toBe(200)
    await work(url)
  } finally {
    child.kill('SIGTERM')
    await closed
  }
}

type Answer<Data> = { status: string; error?: string; data: Data }
type Vector = { result: { metric: Record<string, string>; value: [number, string] }[] }

const ask = async <Data>(url: string, question: string): Promise<Answer<Data>> =>
  (await (await fetch(`${url}/api/v1/${question}`)).json()) as Answer<Data>

const query = (url: string, expression: string) =>
  ask<Vector>(url, `query?query=${encodeURIComponent(expression)}`)

const dashboardExpressions = (): string[] => {
  const { panels } = JSON.parse(readFileSync(path.join(MONITORING, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[]
  }
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$cloud', '.*')))
}

test('Prometheus scrapes the fleet with a reader’s token, by the documented configuration, rules and dashboard', async ({
  page,
}) => {
  const isThere = spawnSync('promtool', ['--version']).status === 0
  test.skip(
    !isThere && process.env.CI !== 'true',
    'Prometheus is not installed: sudo apt-get install prometheus',
  )
  test.setTimeout(240_000)
  await inReportedCloud({ page, as: /^System/ }, async (world, { folder }) => {
    const token = await apiToken(page, world)

    expect((await fetch(`${world.url}/api/metrics`)).status).toBe(401)
    const scraped = await fetch(`${world.url}/api/metrics`, { headers: { authorization: `Bearer ${token}` } })
    expect(scraped.headers.get('content-type')).toContain('version=0.0.4')
    const text = await scraped.text()
    execFileSync('promtool', ['check', 'metrics'], { input: text, stdio: ['pipe', 'pipe', 'pipe'] })

    writeFileSync(path.join(folder, 'token'), token)
    const config = path.join(folder, 'prometheus.yaml')
    writeFileSync(config, stringify(configFor(world, folder)))
    execFileSync('promtool', ['check', 'config', config])
    execFileSync('promtool', ['test', 'rules', path.join(MONITORING, 'sliceboard-alerts.test.yaml')])

    await withPrometheus({ config, folder }, async (url) => {
      const used = 'sum(sliceboard_pgpu_capacity_vgpus)'
      await expect
        .poll(async () => Number((await query(url, used)).data.result[0]?.value[1] ?? 0), SOON)
        .toBeGreaterThan(0)
      const [byType] = (await query(url, 'sum(sliceboard_type_capacity_vgpus)')).data.result
      const [byPgpu] = (await query(url, used)).data.result
      expect(byType?.value[1]).toBe(byPgpu?.value[1])
      for (const expression of dashboardExpressions()) {
        const { status, error } = await query(url, expression)
        expect(status, `${expression}: ${error}`).toBe('success')
      }
      type Rules = { groups: { rules: { name: string; health: string; lastError?: string }[] }[] }
      const rulesNow = async () => (await ask<Rules>(url, 'rules')).data.groups.flatMap(({ rules }) => rules)
      await expect
        .poll(async () => (await rulesNow()).every(({ health }) => health === 'ok'), SOON)
        .toBe(true)
      expect((await rulesNow()).length).toBeGreaterThan(10)
    })
  })
})
