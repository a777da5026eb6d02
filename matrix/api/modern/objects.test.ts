// The types of API objects are those of the field table.
import { expectTypeOf, it } from 'vitest';
import type { ObjectOf } from './objects.js';

it('the fields of an object have the types of their rows', () => {
  expectTypeOf<ObjectOf<'PodSpec'>['containers']>().toEqualTypeOf<readonly ObjectOf<'Container'>[] | undefined>();
  expectTypeOf<ObjectOf<'Container'>['name']>().toEqualTypeOf<string>();
  expectTypeOf<ObjectOf<'PodSpec'>['nodeSelector']>().toEqualTypeOf<Readonly<Record<string, string>> | undefined>();
  expectTypeOf<ObjectOf<'PodSpec'>['terminationGracePeriodSeconds']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<ObjectOf<'authorization.v1.ExtraValue'>>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<ObjectOf<'Volume'>['emptyDir']>().toEqualTypeOf<ObjectOf<'EmptyDirVolumeSource'> | undefined>();
  expectTypeOf<ObjectOf<'apps.v1.DeploymentSpec'>['template']>().toEqualTypeOf<
    ObjectOf<'PodTemplateSpec'> | undefined
  >();
  expectTypeOf<ObjectOf<'PodSpec'>>().not.toHaveProperty('replicas');
});
