import { seriousFindings } from './world/axe'
import { expect, test } from './world/test'

test('A grave fault of accessibility is found in either theme, and a slight one is not reported', async ({
  page,
}) => {
  await page.setContent(`<html lang="en"><head><title>Faults</title><style>
    :root { background: white; color: black }
    @media (prefers-color-scheme: dark) { #pale { color: #eee } }
  </style></head><body><main>
    <h1>Faults</h1>
    <h4>Two levels are left out</h4>
    <p id="pale">Pale in the dark</p>
    <button type="button" id="nameless"></button>
  </main></body></html>`)
  expect(await seriousFindings(page)).toEqual(['button-name: #nameless'])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await seriousFindings(page)).toEqual(['button-name: #nameless', 'color-contrast: #pale'])
})
