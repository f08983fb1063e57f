import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PlanLink } from '@/components/change/plan-link'
import { UnavailablePlanLink } from '@/components/change/unavailable-plan-link'
import { OldWords, silentRefusal } from './old-words'
import { CloudScope } from './use-cloud'

const render = (isSilent: boolean): string =>
  renderToStaticMarkup(
    <NuqsTestingAdapter>
      <CloudScope>
        <QueryClientProvider client={new QueryClient()}>
          <PlanLink href="/changes/new/type" because={silentRefusal({ host: 'cmp-1', isSilent })}>
            Change type
          </PlanLink>
          <OldWords host="cmp-1" isSilent={isSilent} seenAt="2026-11-21T10:00:00.000Z">
            numbers
          </OldWords>
        </QueryClientProvider>
      </CloudScope>
    </NuqsTestingAdapter>,
  )

test('words of a silent host stand under their age, and what needs its agent says why it is off', () => {
  const html = render(true)
  expect(html).toContain('class="old-words"')
  expect(html).toMatch(/role="note".*What stands here is what the agent of cmp-1 said/)
  expect(html).toContain('can’t be planned until it reports again')
  expect(html).not.toContain('href=')
})

test('a plan that needs the agent of a silent host shows a button with the reason in place of the link', () => {
  const because = silentRefusal({ host: 'cmp-1', isSilent: true }) ?? undefined
  const html = renderToStaticMarkup(<UnavailablePlanLink because={because}>Change type</UnavailablePlanLink>)
  expect(html).toMatch(/<button[^>]*aria-disabled="true"/)
  expect(html).toContain('title="The agent of cmp-1 is silent: start it, and plan again when it reports."')
})

test('words of a host that speaks stand as they are', () => {
  const html = render(false)
  expect(html).not.toContain('old-words')
  expect(html).not.toContain('role="note"')
  expect(html).toContain('href="/changes/new/type"')
})
