import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { allSteps } from '@/lib/util/all-steps'
import { explainInSteps, type FitQuestion, type FitReport } from '../explain-fit'
import { type JudgedFit, judgeInSteps, type PlacementWord } from '../judge-fit'

export const explainFit = (fleet: Fleet, question: FitQuestion): FitReport =>
  allSteps(explainInSteps(fleet, question))

export const judgeFit = ({ hosts }: Pick<FitReport, 'hosts'>, word: PlacementWord): JudgedFit =>
  allSteps(judgeInSteps([{ hosts, word }]))
