import type { ReactNode } from 'react'
import { FlavorMeaning } from '@/components/flavor-builder/flavor-meaning'
import { LimitMeaning } from '@/components/quota/limit-meaning'
import {
  ReservationConfigs,
  ReservationEffects,
  ReservationHosts,
} from '@/components/reservation/reservation-meaning'
import { Panel } from '@/components/ui/panel'
import type { ChangeDetail, ChangePreview, PreviewOf } from '@/lib/schemas/api/change'
import { ConfigTexts } from './config-texts'
import { OrphansMeaning } from './orphans-meaning'
import { LeftAlone, PreviewPanels, TouchedPgpus } from './preview-panels'
import { TraitTextsPanels } from './trait-texts-panels'
import { TypeBars } from './type-bars'
import { TypeMeaningPanels } from './type-meaning-panels'

type Shown<Preview> = { preview: Preview; tasks: ChangeDetail['tasks']; cloud: string | null }

/** What the page of a change shows of its preview. */
type ChangeView<Preview> = {
  /** Panels next to the steps. */
  meaning: (shown: Shown<Preview>) => ReactNode
  aboveSteps?: (shown: Shown<Preview>) => ReactNode
  belowSteps?: (shown: Shown<Preview>) => ReactNode
  /** At the step that writes nova.conf: the options as each deployment tool takes them. */
  configs?: (preview: Preview) => ReactNode
}

const CARD_VIEW: ChangeView<PreviewOf<'passthrough' | 'type'>> = {
  meaning: ({ preview: { refusals, typeChange }, cloud }) => (
    <>
      <LeftAlone refusals={refusals} cloud={cloud} />
      {typeChange === null ? null : <TypeMeaningPanels change={typeChange} />}
    </>
  ),
  aboveSteps: ({ preview: { typeChange }, cloud }) =>
    typeChange === null ? null : <TypeBars change={typeChange} cloud={cloud} />,
  configs: ({ typeChange }) => (typeChange === null ? null : <ConfigTexts change={typeChange} />),
}

/** The view of each kind of change; a kind without one does not compile. */
const CHANGE_VIEWS: { readonly [Kind in ChangePreview['kind']]: ChangeView<PreviewOf<Kind>> } = {
  fence: {
    meaning: ({ preview }) => <ReservationEffects reservation={preview.fence} />,
    aboveSteps: ({ preview }) => <ReservationHosts reservation={preview.fence} />,
    configs: ({ fence: reservation }) => <ReservationConfigs reservation={reservation} />,
  },
  flavor: { meaning: ({ preview, cloud }) => <FlavorMeaning change={preview.flavorChange} cloud={cloud} /> },
  limits: { meaning: ({ preview }) => <LimitMeaning change={preview.limitChange} /> },
  orphans: {
    meaning: ({ preview, tasks, cloud }) => (
      <>
        <OrphansMeaning tasks={tasks} />
        <TouchedPgpus preview={preview} cloud={cloud} unchangedText="have no orphans." />
        <LeftAlone refusals={preview.refusals} cloud={cloud} />
      </>
    ),
  },
  passthrough: CARD_VIEW,
  traits: {
    meaning: ({ preview, cloud }) => <PreviewPanels preview={preview} cloud={cloud} />,
    belowSteps: ({ preview }) => <TraitTextsPanels traitTexts={preview.traitTexts} />,
  },
  type: CARD_VIEW,
  unreadable: {
    meaning: ({ preview }) => (
      <Panel title="What this changes">
        <p>The preview of this change cannot be read: {preview.because}. Plan the change again.</p>
      </Panel>
    ),
  },
}

export const changeView = ({ kind }: ChangePreview): ChangeView<ChangePreview> =>
  // The table has every kind; TypeScript cannot infer that each kind selects the view for its preview.
  CHANGE_VIEWS[kind] as ChangeView<ChangePreview>
