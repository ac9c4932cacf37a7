// Everything of the public surface.
#pragma once

#include "impuls/collision.h"
#include "impuls/command.h"
#include "impuls/errors.h"
#include "impuls/events.h"
#include "impuls/executor.h"
#include "impuls/export.h"
#include "impuls/frame.h"
#include "impuls/ids.h"
#include "impuls/quantity.h"
#include "impuls/recording.h"
#include "impuls/run.h"
#include "impuls/scene.h"
#include "impuls/scene_file.h"
#include "impuls/settings.h"
#include "impuls/vec.h"
#include "impuls/world.h"
