/** Nothing was changed; the message gives the reason in one sentence. */
export class Refusal extends Error {}

/** It was tried; the message reports how far it got. `output`: what a command printed. */
export class Failure extends Error {
  readonly output: string

  constructor(message: string, output = '') {
    super(message)
    this.output = output
  }
}

/** A program that did not end in its time, and was ended. What it had started may continue. */
export class TimedOut extends Failure {}
