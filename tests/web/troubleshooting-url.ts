import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readConfig, runtimeConfigOf } from '#config/read-config.ts'
import { troubleshootingUrl } from '#web/frame/system/troubleshooting-url.ts'

const url = suite('the link of the screen for a failing start')

const SECTION = 'https://github.com/seine-crawler/seine/blob/main/docs/self-hosting.md#troubleshooting'

url('it leads to the operator’s guide, and without one to the section of ours', () => {
  assert.is(troubleshootingUrl({ guideUrl: 'https://guide.example/start', repository: '' }), 'https://guide.example/start')
  assert.is(troubleshootingUrl({ guideUrl: '', repository: '' }), SECTION, 'without the configuration of the page')
})

url('the guide of the configuration is ours as long as the operator names none', () => {
  assert.is(troubleshootingUrl(runtimeConfigOf(readConfig({}))), SECTION)
})

url.run()
