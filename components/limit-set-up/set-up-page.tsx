'use client'

import { useQuery } from '@tanstack/react-query'
import { parseAsJson, parseAsString, useQueryStates } from 'nuqs'
import { useState } from 'react'
import { ConfigTabs } from '@/components/change/config-texts'
import { PlanView } from '@/components/change/plan-view'
import { PlannedSteps } from '@/components/change/planned-steps'
import { NotReadYet } from '@/components/cloud/not-read-yet'
import { StaleBanner } from '@/components/cloud/stale-banner'
import { LimitMeaning } from '@/components/quota/limit-meaning'
import { type Loaded, LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { useCloud } from '@/components/shell/use-cloud'
import { Button } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { limitSetUpOptions } from '@/lib/api/quotas'
import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import type { LimitSetUp } from '@/lib/schemas/api/limit-set-up'
import * as z from '@/lib/schemas/mini'
import { formatNoun } from '@/lib/util/format'
import { DryRunPanel } from './dry-run-panel'
import { FactsPanel } from './facts-panel'
import { NeededPanel } from './needed-panel'
import { NovaUserForm, novaUserProblems } from './nova-user-form'
import { ProjectsPanel } from './projects-panel'
import {
  badNames,
  planOfSetUp,
  proposedInput,
  type SetUpInput,
  setUpInputSchema,
  withLeft,
  withText,
} from './set-up-input'

const setUpParams = {
  user: parseAsString.withDefault(''),
  domain: parseAsString.withDefault(''),
  flavor: parseAsString.withDefault(''),
  /** What was planned last. */
  wish: parseAsJson((value: unknown): SetUpInput | null => {
    const parsed = z.safeParse(setUpInputSchema, value)
    return parsed.success ? parsed.data : null
  }),
}

const Plan = ({ input }: { input: PlanLimits }) => (
  <PlanView
    input={input}
    main={({ preview, ...plan }) => (
      <>
        {plan.stepCount === 0 ? (
          <EmptyState title="There is nothing to write">
            Keystone has all that Nova asks for. What is left is nova.conf, below.
          </EmptyState>
        ) : (
          <PlannedSteps plan={plan} />
        )}
        {preview.limitChange.configs.length === 0 ? null : (
          <Panel title="Then: nova-api and nova-conductor" note="only after Keystone has the limits">
            <ConfigTabs configs={preview.limitChange.configs} />
          </Panel>
        )}
      </>
    )}
    side={({ preview }) => <LimitMeaning change={preview.limitChange} />}
  />
)

const whatItDoes = ({ facts, user }: LimitSetUp): string =>
  facts.every(({ state }) => state === 'good')
    ? 'Nova goes by these limits already. What you change above is planned, and nothing else.'
    : `Registers the defaults, writes the limits of projects, and lets ${user} read them. Nova goes on with its own quotas until nova.conf is changed.`

const Assistant = ({
  setUp,
  query: { isFetching, refetch },
}: {
  setUp: LimitSetUp
  query: Pick<Loaded, 'isFetching' | 'refetch'>
}) => {
  const { cloud } = useCloud()
  const [params, setParams] = useQueryStates(setUpParams)
  const [edited, setInput] = useState<SetUpInput | null>(() =>
    params.wish === null ? null : withLeft(setUp, params.wish),
  )
  // What is proposed can change while projects are still being read.
  const wish = edited ?? proposedInput(setUp)
  const bad = badNames(wish)
  const unread = setUp.projects.filter(({ isReading }) => isReading).length
  const toggle = (projectId: string, isIn: boolean) =>
    setInput({
      ...wish,
      left: isIn ? wish.left.filter((id) => id !== projectId) : [...wish.left, projectId],
    })
  return (
    <div className="flex flex-col gap-3">
      <FactsPanel
        facts={setUp.facts}
        novaUser={
          <NovaUserForm
            key={JSON.stringify([params.user, params.domain])}
            given={{ user: params.user || setUp.user, domain: params.domain }}
            isChecking={isFetching}
            onGiven={(given) =>
              given.user === (params.user || setUp.user) && given.domain === params.domain
                ? void refetch()
                : void setParams(given)
            }
          />
        }
      />
      <NeededPanel
        needed={setUp.needed}
        wish={wish}
        onText={(name, text) => setInput(withText(wish, name, text))}
      />
      <ProjectsPanel setUp={setUp} left={new Set(wish.left)} onToggle={toggle} />
      <Panel title="4. Write them">
        {setUp.strayCount === 0 ? null : (
          <label className="mb-2.5 flex items-baseline gap-2" htmlFor="remove-strays">
            <input
              id="remove-strays"
              type="checkbox"
              checked={wish.removesStrays === true}
              onChange={(event) => setInput({ ...wish, removesStrays: event.target.checked })}
            />
            <span>
              Delete {formatNoun(setUp.strayCount, 'limit')} without a region, where Nova never looks. Rolling
              back makes them again.
            </span>
          </label>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            variant="main"
            isUnavailable={bad.length > 0 || unread > 0}
            onClick={() => void setParams({ wish })}
          >
            Plan the set-up
          </Button>
          <p className={bad.length === 0 ? 'text-ink2' : 'text-bad'}>
            {bad.length > 0
              ? `No whole number from -1 on: ${bad.join(', ')}.`
              : unread > 0
                ? `${formatNoun(unread, 'project is', 'projects are')} still being read.`
                : whatItDoes(setUp)}
          </p>
        </div>
      </Panel>
      {params.wish === null ? null : <Plan input={planOfSetUp(cloud, setUp, params.wish)} />}
      <DryRunPanel
        setUp={setUp}
        flavor={params.flavor}
        onFlavor={(flavor) => void setParams({ flavor: flavor === '' ? null : flavor })}
      />
    </div>
  )
}

/**
 * The way from a cloud without unified limits to one in which Nova counts GPUs: what exists, what is missing, and the
 * change that writes it.
 */
export const SetUpPage = () => {
  const { cloud } = useCloud()
  const [{ user, domain, flavor }] = useQueryStates(setUpParams)
  // A link may have values that the API refuses: the form then states the problem.
  const problems = novaUserProblems({ user, domain })
  const query = useQuery(
    limitSetUpOptions({
      cloud,
      user: problems.user === undefined ? user || null : null,
      domain: problems.domain === undefined ? domain || null : null,
      flavor: flavor || null,
    }),
  )
  const { data, error, isPending } = query
  return (
    <>
      <PageHeader
        title="Set up unified limits"
        sub={data === undefined || data.region === null ? undefined : `region ${data.region}`}
      />
      <LoadProblem query={query} what="The set-up" />
      {isPending && error === null ? <SkeletonRows rows={10} label="Loading the set-up" /> : null}
      {data === undefined ? null : !data.isRead ? (
        <NotReadYet source="This page uses Keystone’s limits and Nova’s quotas." />
      ) : data.because !== null ? (
        <EmptyState title="Can’t tell where the cloud is">{data.because}.</EmptyState>
      ) : (
        <>
          <StaleBanner />
          <Assistant setUp={data} query={query} />
        </>
      )}
    </>
  )
}
