import { QueryClientProvider } from '@tanstack/react-query'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FormFoot } from '@/components/form/form-foot'
import { Dialog } from '@/components/ui/dialog'
import { ApiError } from '@/lib/api/client'
import { createQueryClient } from '@/lib/api/query-client'
import { SubjectProblem } from './subject-problem'
import { TimedText } from './timed-text'
import { CloudScope } from './use-cloud'

/** As the server draws it, which knows neither the reader's clock nor the time zone. */
const drawnText = (content: ReactNode): string =>
  renderToStaticMarkup(
    <NuqsTestingAdapter>
      <CloudScope>
        <QueryClientProvider client={createQueryClient()}>{content}</QueryClientProvider>
      </CloudScope>
    </NuqsTestingAdapter>,
  ).replaceAll(/<[^>]+>/g, '')

const sentence = 'Ada was first, at 2026-11-21T09:54:37.667Z.'

test('before the reader’s clock is known a moment is shown in UTC', () => {
  expect(drawnText(<TimedText text={sentence} isWhole />)).toBe('Ada was first, at 21 Nov, 09:54 UTC.')
})

test('the foot of a form shows moments as text', () => {
  const foot = (
    <Dialog open>
      <FormFoot error={sentence} isPending={false} label="Start" pendingLabel="Starting" />
    </Dialog>
  )
  expect(drawnText(foot)).toContain('Ada was first, at 21 Nov, 09:54 UTC.')
})

test('existing data could not be refreshed, and missing data could not be loaded', () => {
  const error = new ApiError({
    message: `The host was removed at ${sentence.slice(-25)}`,
    status: 500,
    code: 'internal',
  })
  const problem = (data: unknown) =>
    drawnText(
      <SubjectProblem
        query={{ data, error, isFetching: false, refetch: async () => undefined }}
        subject="host"
        all={{ href: '/hosts', label: 'All hosts' }}
        what="The host"
      />,
    )
  expect(problem(undefined)).toContain('The host could not be loaded')
  expect(problem({})).toContain('The host could not be refreshed')
  expect(problem({})).toContain('removed at 21 Nov, 09:54 UTC.')
})
