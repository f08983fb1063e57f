import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PlanLink } from '@/components/change/plan-link'
import { UnavailablePlanLink } from '@/components/change/unavailable-plan-link'
import { OldReport, silentRefusal } from './old-report'
import { CloudScope } from './use-cloud'

const render = (isSilent: boolean): string =>
  renderToStaticMarkup(
    <NuqsTestingAdapter>
      <CloudScope>
        <QueryClientProvider client={new QueryClient()}>
          <PlanLink href="/changes/new/type" because={silentRefusal({ host: 'cmp-1', isSilent })}>
            Change type
          </PlanLink>
          <OldReport host="cmp-1" isSilent={isSilent} seenAt="2026-11-21T10:00:00.000Z">
            numbers
          </OldReport>
        </QueryClientProvider>
      </CloudScope>
    </NuqsTestingAdapter>,
  )

test('data of a silent host shows its age, and actions that need its agent show why they are disabled', () => {
  const html = render(true)
  expect(html).toContain('class="old-words"')
  expect(html).toMatch(/role="note".*This page shows the last data that the agent of cmp-1 reported/)
  expect(html).toContain('until the agent reports again')
  expect(html).not.toContain('href=')
})

test('a plan that needs the agent of a silent host shows a button with the reason in place of the link', () => {
  const because = silentRefusal({ host: 'cmp-1', isSilent: true }) ?? undefined
  const html = renderToStaticMarkup(<UnavailablePlanLink because={because}>Change type</UnavailablePlanLink>)
  expect(html).toMatch(/<button[^>]*aria-disabled="true"/)
  expect(html).toContain('title="The agent of cmp-1 is silent. Start it, and plan again when it reports."')
})

test('data of a reporting host is shown unmarked', () => {
  const html = render(false)
  expect(html).not.toContain('old-words')
  expect(html).not.toContain('role="note"')
  expect(html).toContain('href="/changes/new/type"')
})
