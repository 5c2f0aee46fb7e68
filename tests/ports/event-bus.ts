import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventBus, RunHint } from '#backend/platform/events/event-bus.ts'
import { localBus } from '#backend/platform/events/local-bus.ts'

const ADAPTERS: Record<string, () => EventBus> = { 'in process': localBus }

for (const [name, open] of Object.entries(ADAPTERS)) {
  const bus = suite(`event bus, ${name}`)
  const hint = (runNo: number, eventSeq: number): RunHint => ({ runNo, eventSeq, status: 'running' })

  bus('tells every listener of a run, in order, and nobody else', () => {
    const { publish, subscribe } = open()
    const [one, two, other]: RunHint[][] = [[], [], []]
    subscribe(1, (each) => one?.push(each))
    subscribe(1, (each) => two?.push(each))
    subscribe(2, (each) => other?.push(each))
    for (const eventSeq of [1, 2, 3]) publish(hint(1, eventSeq))
    assert.equal(one, [hint(1, 1), hint(1, 2), hint(1, 3)])
    assert.equal(two, one)
    assert.equal(other, [])
  })

  bus('tells nothing to who has left or came later, and one who leaves does not disturb the others', () => {
    const { publish, subscribe } = open()
    const heard: string[] = []
    const leave = subscribe(1, () => {
      heard.push('first')
      leave()
    })
    subscribe(1, () => void heard.push('second'))
    publish(hint(1, 1))
    publish(hint(1, 2))
    subscribe(1, () => void heard.push('late'))
    leave()
    assert.equal(heard, ['first', 'second', 'second'])
  })

  bus('tells who listens to all runs of each of them, until they leave', () => {
    const { publish, subscribeAll } = open()
    const heard: RunHint[] = []
    const leave = subscribeAll((each) => void heard.push(each))
    publish(hint(1, 1))
    publish(hint(2, 1))
    leave()
    publish(hint(1, 2))
    assert.equal(heard, [hint(1, 1), hint(2, 1)])
  })

  bus('takes hints that nobody listens to', () => {
    open().publish(hint(7, 1))
  })

  bus.run()
}
